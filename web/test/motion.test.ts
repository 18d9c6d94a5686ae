import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const source = join(import.meta.dirname, '../src')
const css = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.css'))
  .map((path) => readFileSync(join(source, path), 'utf8'))
  .join('\n')

const keyframes = [...css.matchAll(/@keyframes ([\w-]+) \{(.*?)\n\}/gs)].map(([, name, steps = '']) => ({
  name,
  steps,
}))
const properties = (steps: string) => [...steps.matchAll(/^\s+([\w-]+):/gm)].map(([, property]) => property)

// A browser draws these two beside the page's own work; anything else is laid out or painted anew for every frame.
const cheap = ['opacity', 'transform']
// They change the look of one control in its place: painted anew, never laid out.
const painted = ['background-color', 'border-color', 'color']

describe('what moves', () => {
  it.each(keyframes)('$name changes nothing but transform and opacity', ({ steps }) => {
    expect(properties(steps)).not.toEqual([])
    expect(properties(steps).filter((property) => !cheap.includes(property ?? ''))).toEqual([])
  })

  it('has a name of its own: the last of two would be taken for both', () => {
    const names = keyframes.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(5)
    expect([...new Set(names)]).toEqual(names)
  })

  it('passes from look to look without a layout', () => {
    const parts = [...css.matchAll(/transition:([^;]*);/g)].flatMap(([, value = '']) => value.split(/,(?![^(]*\))/))
    const moved = parts.map((part) => part.trim().split(' ')[0])
    expect(moved.length).toBeGreaterThan(3)
    expect(moved.filter((property) => ![...cheap, ...painted].includes(property ?? ''))).toEqual([])
  })
})
