import './markdown.css'
import type { Definition, Image, Link as LinkNode, List, ListItem, Nodes, Parent, Root, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { Fragment, type ReactNode, useMemo } from 'react'
import { useHydrated } from '@/startup/hydrated'
import { Link } from './link'

// Markdown as elements of ours: what a text calls markup stays text, and nothing is fetched from elsewhere.

// Browsers drop control characters from an address and take a backslash for a slash: "/<tab>/host" is another site.
const isPlain = (url: string) => /^\/(?!\/)[^\s\\\p{Cc}]*$/u.test(url)
const here = 'https://x.invalid'
const isOwnPath = (url: string) => isPlain(url) && new URL(url, here).origin === here
// A picture is fetched without a click, so it may name nothing but pictures.
const isOwnPicture = (url: string) => isPlain(url) && /^\/(art|storage)\/(?!.*(\.|%2e){2})/i.test(url)
const isOpen = (url: string) => /^(https?:\/\/|mailto:)/i.test(url)

type Context = { definitions: Map<string, Definition>; shift: number; depth: number }

/** Quotes in quotes beyond what anybody writes are drawn as their words: each costs the stack some more. */
const deepest = 50

/** How much the server draws: one engine draws for all readers, and it is far slower than their browsers. */
const atFirst = 8192

/** The first blocks of a text; of a single long one its first words. */
export function beginningOf(text: string): string {
  if (text.length <= atFirst) return text
  const ends = ['\n\n', '\n', ' '].map((end) => text.lastIndexOf(end, atFirst))
  return text.slice(0, Math.max(0, ends.find((end) => end > 0) ?? 0))
}

/** The text of a lesson. Its largest headings come right below the page's own. */
export function Markdown({ text }: { text: string }) {
  const shown = useHydrated() ? text : beginningOf(text)
  const { root, context } = useMemo(() => read(shown), [shown])
  return <div className="prose">{inside(root, context)}</div>
}

function read(text: string) {
  const root = fromMarkdown(text)
  const context: Context = { definitions: new Map(), shift: 6, depth: 0 }
  for (const node of all(root)) {
    if (node.type === 'definition') context.definitions.set(node.identifier, node)
    if (node.type === 'heading') context.shift = Math.min(context.shift, node.depth)
  }
  return { root, context }
}

/** A node and all that is in it, in the order of the text. */
function* all(top: Nodes): Generator<Nodes> {
  const waiting = [top]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node
    if ('children' in node) for (const child of node.children.toReversed()) waiting.push(child)
  }
}

const wordsOf = (top: Nodes) => [...all(top)].map((node) => ('value' in node ? node.value : '')).join('')

function inside(node: Parent | Root, context: Context): ReactNode {
  return node.children.map((child, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text is drawn anew as a whole
    <Fragment key={index}>{one(child, context)}</Fragment>
  ))
}

const headings = ['h2', 'h3', 'h4'] as const

function one(node: RootContent, around: Context): ReactNode {
  const context = { ...around, depth: around.depth + 1 }
  if (context.depth > deepest) return wordsOf(node)
  switch (node.type) {
    case 'heading': {
      const Heading = headings[Math.min(node.depth - context.shift, 2)] ?? 'h4'
      return <Heading>{inside(node, context)}</Heading>
    }
    case 'paragraph': {
      const [only] = node.children
      if (only?.type === 'image' && node.children.length === 1) return <Figure node={only} />
      return <p>{inside(node, context)}</p>
    }
    case 'blockquote':
      return <blockquote>{inside(node, context)}</blockquote>
    case 'list':
      return <ListOf node={node} context={context} />
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, by keyboard too
        <pre tabIndex={0}>
          <code>{node.value}</code>
        </pre>
      )
    case 'inlineCode':
      return <code>{node.value}</code>
    case 'emphasis':
      return <em>{inside(node, context)}</em>
    case 'strong':
      return <strong>{inside(node, context)}</strong>
    case 'thematicBreak':
      return <hr />
    case 'break':
      return <br />
    case 'link':
      return <Anchor url={node.url}>{inside(node, context)}</Anchor>
    case 'linkReference':
      return (
        <Anchor url={context.definitions.get(node.identifier)?.url ?? ''}>{inside(node as Parent, context)}</Anchor>
      )
    case 'image':
      return <Picture node={node} />
    case 'text':
    case 'html':
      return node.value
    default:
      return null
  }
}

function Anchor({ url, children }: { url: LinkNode['url']; children: ReactNode }) {
  if (isOwnPath(url)) return <Link to={url}>{children}</Link>
  if (!isOpen(url)) return children
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

/** A picture that this site has; of any other its words remain. */
function Picture({ node: { url, alt } }: { node: Image }) {
  if (!isOwnPicture(url)) return alt ?? ''
  return <img src={url} alt={alt ?? ''} loading="lazy" decoding="async" />
}

function Figure({ node }: { node: Image }) {
  if (!isOwnPicture(node.url)) return <p>{node.alt}</p>
  return (
    <figure>
      <Picture node={node} />
      {node.title && <figcaption>{node.title}</figcaption>}
    </figure>
  )
}

const box = /^\[([ xX])\]\s+/

/** The first words of an entry, where a box stands before them. */
function boxOf(item: ListItem): RegExpExecArray | null {
  const [first] = item.children
  const words = first?.type === 'paragraph' ? first.children[0] : undefined
  return words?.type === 'text' ? box.exec(words.value) : null
}

function ListOf({ node, context }: { node: List; context: Context }) {
  const items = node.children.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    <Entry key={index} item={item} isTight={!node.spread} context={context} />
  ))
  return node.ordered ? <ol start={node.start ?? 1}>{items}</ol> : <ul>{items}</ul>
}

function Entry({ item, isTight, context }: { item: ListItem; isTight: boolean; context: Context }) {
  const found = boxOf(item)
  const content = item.children.map((child, index) => {
    const shown = child.type === 'paragraph' && isTight ? inside(child, context) : one(child, context)
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    return <Fragment key={index}>{shown}</Fragment>
  })
  if (!found) return <li>{content}</li>
  const isDone = found[1] !== ' '
  return (
    <li data-box={isDone ? 'done' : 'open'}>
      {isDone && <span className="sr-only">Done: </span>}
      <Unboxed item={item} isTight={isTight} context={context} cut={found[0].length} />
    </li>
  )
}

/** An entry without the box that its words begin with. */
function Unboxed({ item, isTight, context, cut }: { item: ListItem; isTight: boolean; context: Context; cut: number }) {
  const [first, ...rest] = item.children
  if (first?.type !== 'paragraph') return null
  const [words, ...others] = first.children
  const text = words?.type === 'text' ? [{ ...words, value: words.value.slice(cut) }] : []
  const paragraph = { ...first, children: [...text, ...others] }
  return (
    <>
      {isTight ? inside(paragraph, context) : one(paragraph, context)}
      {inside({ type: 'root', children: rest }, context)}
    </>
  )
}
