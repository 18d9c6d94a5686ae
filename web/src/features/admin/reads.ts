import { contains, quoted, type Read } from '@/lib/read'
import { type Course, courseColumns, type Workshop, workshopColumns } from '@/lib/rows'
import { type Entry, entryColumns, type Message, messageColumns } from './rows'

/** A list of any length, read page by page. */
export type Source<Row> = {
  read: Read<Row>
  /** What the page after a row adds to the read; `loaded` is how many rows stand before it. */
  after: (row: Row, loaded: number) => Partial<Read<Row>>
}

export const pageLength = 100

type Dated = { id: string; created_at: string }

/** Both choices must hold. */
const both = (a: readonly string[] | undefined, b: readonly string[]) =>
  a ? [`and(or(${a.join(',')}),or(${b.join(',')}))`] : b

/**
 * Newest first, each page beginning after the last row of the one before: the index finds the
 * place at once, however deep it is.
 */
function newestFirst<Row extends Dated>(read: Read<Row>): Source<Row> {
  return {
    read: {
      ...read,
      order: [
        ['created_at', 'desc'],
        ['id', 'asc'],
      ],
      limit: pageLength,
    },
    after: ({ id, created_at }) => ({
      where: [...(read.where ?? []), ['created_at', 'lte', created_at]],
      or: both(read.or, [`created_at.lt.${quoted(created_at)}`, `id.gt.${id}`]),
    }),
  }
}

const anyOf = (columns: readonly string[], text: string) =>
  text === '' ? {} : { or: columns.map((column) => contains(column, text)) }

/** The catalogue; a search is answered from memory, which counts from the start. */
export function courses(text: string): Source<Course> {
  const source = newestFirst<Course>({
    table: 'courses',
    columns: courseColumns,
    ...anyOf(['title', 'instructor', 'category', 'description'], text),
  })
  return text === '' ? source : { ...source, after: (_, loaded) => ({ offset: loaded }) }
}

export const waitlist = (text: string, course: string): Source<Entry> =>
  newestFirst<Entry>({
    table: 'course_waitlist',
    columns: entryColumns,
    ...(course === '' ? {} : { where: [['course_title', 'eq', course]] }),
    ...anyOf(['course_title', 'email', 'name'], text),
  })

const messageTexts = ['course_title', 'course_description', 'instructor_name', 'email']

export const recommendations = (text: string): Source<Message> =>
  newestFirst<Message>({
    table: 'course_recommendations',
    columns: messageColumns,
    where: [['kind', 'eq', 'recommendation']],
    ...anyOf(messageTexts, text),
  })

export const inquiries = (text: string, kind: string): Source<Message> =>
  newestFirst<Message>({
    table: 'course_recommendations',
    columns: messageColumns,
    where: [kind === '' ? ['kind', 'neq', 'recommendation'] : ['kind', 'eq', kind]],
    ...anyOf(messageTexts, text),
  })

export const tabs = ['courses', 'waitlist', 'recommendations', 'inquiries'] as const
export type Tab = (typeof tabs)[number]

/** How many rows a tab has in all. */
export const countOf = (tab: Tab): Read<{ id: string }> => ({
  ...rowsOf[tab],
  columns: { id: 'string' },
  limit: 1,
  count: true,
})

const rowsOf: Record<Tab, Pick<Read<{ id: string }>, 'table' | 'where'>> = {
  courses: { table: 'courses' },
  waitlist: { table: 'course_waitlist' },
  recommendations: { table: 'course_recommendations', where: [['kind', 'eq', 'recommendation']] },
  inquiries: { table: 'course_recommendations', where: [['kind', 'neq', 'recommendation']] },
}

export const workshop: Read<Workshop> = {
  table: 'workshops',
  columns: workshopColumns,
  order: [['id', 'asc']],
  limit: 1,
}

/** Who has a spot, in the order of the spots. */
export const confirmed = (workshopId: string): Source<Entry> => ({
  read: {
    table: 'course_waitlist',
    columns: entryColumns,
    where: [
      ['workshop_id', 'eq', workshopId],
      ['spot', 'gte', 1],
    ],
    order: [['spot', 'asc']],
    limit: pageLength,
  },
  after: ({ spot }) => ({
    where: [
      ['workshop_id', 'eq', workshopId],
      ['spot', 'gt', spot ?? 0],
    ],
  }),
})

/** Who waits for a spot, in the order in which they get one. */
export function waiting(workshopId: string): Source<Entry> {
  const where: Read<Entry>['where'] = [
    ['workshop_id', 'eq', workshopId],
    ['spot', 'is', 'null'],
  ]
  return {
    read: {
      table: 'course_waitlist',
      columns: entryColumns,
      where,
      order: [
        ['created_at', 'asc'],
        ['id', 'asc'],
      ],
      limit: pageLength,
    },
    after: ({ id, created_at }) => ({
      where: [...where, ['created_at', 'gte', created_at]],
      or: [`created_at.gt.${quoted(created_at)}`, `id.gt.${id}`],
    }),
  }
}
