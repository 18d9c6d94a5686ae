import { keys } from './keys'
import type { ColumnsOf } from './rows'

// A read of the data API as data: the browser runs it through the official client, the server
// asks for the same thing by its URL before it renders a page. One description, two readers.

type Value = string | number | boolean
type Operator = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'is' | 'in'

export type Read<Row> = {
  table: string
  columns: ColumnsOf<Row>
  where?: readonly (readonly [column: string, operator: Operator, value: Value | readonly Value[]])[]
  /** Conditions of which one must hold, in the dialect of the data API: `title.ilike."*x*"`. */
  or?: readonly string[]
  order?: readonly (readonly [column: string, direction: 'asc' | 'desc'])[]
  limit?: number
  offset?: number
  /** Asks for the exact number of all matching rows. */
  count?: boolean
}

/** What a read answers, in the browser and from the server alike. */
export type Answer<Row> = { rows: Row[]; total: number | null }

export function filterValue(value: Value | readonly Value[]): string {
  return Array.isArray(value) ? `(${value.map((item) => quoted(String(item))).join(',')})` : String(value)
}

/** A value inside a list or an `or`, where commas, dots and parentheses would have a meaning. */
export function quoted(value: string): string {
  return `"${value.replace(/[\\"]/g, '\\$&')}"`
}

/** A condition that holds when the column contains the text, whatever characters it is made of. */
export function contains(column: string, text: string): string {
  const literal = text.replace(/[\\%_*]/g, '\\$&')
  return `${column}.ilike.${quoted(`*${literal}*`)}`
}

export const selectOf = (read: Read<unknown>) => Object.keys(read.columns).join(',')

/** The address of a read below the site's origin. */
export function urlOf(read: Read<unknown>): string {
  const parameters: [string, string][] = [['select', selectOf(read)]]
  for (const [column, operator, value] of read.where ?? [])
    parameters.push([column, `${operator}.${filterValue(value)}`])
  if (read.or) parameters.push(['or', `(${read.or.join(',')})`])
  if (read.order) parameters.push(['order', read.order.map((by) => by.join('.')).join(',')])
  if (read.offset !== undefined) parameters.push(['offset', String(read.offset)])
  if (read.limit !== undefined) parameters.push(['limit', String(read.limit)])
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  return `/rest/v1/${read.table}?${query}`
}

export const keyOf = (read: Read<unknown>) => [...keys.table(read.table), urlOf(read), read.count ?? false] as const
