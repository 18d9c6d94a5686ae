import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { leave } from './passage'

const course = '/course/b1'

const card = `<article><a href="${course}">Course</a><div class="still-ground"><img src="/card.avif" alt=""></div></article>`
const page = '<section><div data-passage><img src="/course.avif" alt=""></div></section>'

/** The movements that were begun, and how to end them: jsdom neither moves nor decodes. */
const begun: { keyframes: Keyframe[]; end: () => void }[] = []

beforeEach(() => {
  begun.length = 0
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(20, 20, 200, 100))
  HTMLImageElement.prototype.decode = async () => undefined
  Element.prototype.animate = (keyframes) => {
    let end = () => {}
    const finished = new Promise<void>((done) => {
      end = done
    })
    begun.push({ keyframes: keyframes as Keyframe[], end: () => end() })
    return { finished } as unknown as Animation
  }
})

afterEach(() => {
  document.body.replaceChildren()
  Reflect.deleteProperty(Element.prototype, 'animate')
  Reflect.deleteProperty(HTMLImageElement.prototype, 'decode')
})

function pass(before: string, after: string, from: string, to: string) {
  document.body.innerHTML = before
  const arrive = leave(from, to)
  document.body.innerHTML = after
  return arrive()
}

it.each([
  ['grows into its course', card, page, '/', course],
  ['shrinks back into its card', page, card, course, '/'],
])('a picture %s by its transform alone, and nothing is left of it', async (_, before, after, from, to) => {
  const moved = pass(before, after, from, to)
  expect(begun.flatMap(({ keyframes }) => keyframes.flatMap(Object.keys))).toEqual(['transform', 'transform'])
  expect(document.querySelectorAll('[style]')).not.toHaveLength(0)
  begun[0]?.end()
  await moved
  expect(document.body.querySelectorAll('[style]:not([style=""])')).toHaveLength(0)
  expect(document.body.querySelectorAll('body > img')).toHaveLength(0)
})

it('shrinks back into the card that was used, of several of the same course', () => {
  document.body.innerHTML = page
  const arrive = leave(course, '/')
  document.body.innerHTML = card + card
  document.querySelectorAll<HTMLElement>('a')[1]?.focus()
  void arrive()
  const hidden = [...document.querySelectorAll<HTMLElement>('.still-ground')].map(({ style }) => style.visibility)
  expect(hidden).toEqual(['', 'hidden'])
})

it('does not shrink into what the header covers', () => {
  const bar = '<header></header>'
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(130)
  expect(pass(page, bar + card, course, '/')).toBeUndefined()
})

it('nothing moves between pages that share no picture', () => {
  expect(pass(card, '<main></main>', '/', '/contact')).toBeUndefined()
  expect(begun).toEqual([])
})
