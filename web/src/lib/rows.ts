// The rows of the data API. A table's columns are written down once: they are what a read asks for, the type of its rows,
// and what an answer is held against before a screen sees it.

type Held = { string: string; number: number; boolean: boolean; 'string?': string | null; 'number?': number | null }

/** What a column holds; with '?' it may be null. A list stands for one of its words. */
type Kind = keyof Held | readonly string[]

export type RowOf<Columns extends Record<string, Kind>> = {
  -readonly [Name in keyof Columns]: Columns[Name] extends keyof Held
    ? Held[Columns[Name]]
    : Columns[Name] extends readonly (infer Word)[]
      ? Word
      : never
}

type KindOf<Value> = {
  [Name in keyof Held]: [Value, Held[Name]] extends [Held[Name], Value] ? Name : never
}[keyof Held]

/** The columns that make up such rows. */
export type ColumnsOf<Row> = {
  readonly [Name in keyof Row]: [KindOf<Row[Name]>] extends [never] ? readonly Row[Name][] : KindOf<Row[Name]>
}

function fits(kind: unknown, value: unknown): boolean {
  if (Array.isArray(kind)) return kind.includes(value)
  return value === null ? String(kind).endsWith('?') : String(kind).startsWith(typeof value)
}

const isRow = <Row>(columns: ColumnsOf<Row>, value: unknown): value is Row =>
  value instanceof Object && Object.entries(columns).every(([name, kind]) => fits(kind, Reflect.get(value, name)))

/** Rows as the data API gave them; an answer of another shape is a failure like any other. */
export function rowsOf<Row>(columns: ColumnsOf<Row>, answer: unknown): Row[] {
  if (Array.isArray(answer) && answer.every((value) => isRow(columns, value))) return answer
  throw new TypeError('The answer does not have the columns that were asked for.')
}

/** A course as cards show it. */
export const summaryColumns = {
  id: 'string',
  title: 'string',
  instructor: 'string',
  duration: 'string',
  category: 'string',
  thumbnail: 'string',
  lessons: 'number',
  level: 'string',
  rating: 'number',
  coming_soon: 'boolean',
  launch_at: 'string?',
} as const

/** What the page of a course tells as well; all but the description may be ''. */
export const courseColumns = {
  ...summaryColumns,
  description: 'string',
  /** One thing to learn a line. */
  learn: 'string',
  audience: 'string',
  outcome: 'string',
  instructor_bio: 'string',
  created_at: 'string',
} as const

export const workshopColumns = {
  id: 'string',
  title: 'string',
  host: 'string',
  about: 'string',
  learn: 'string',
  date_text: 'string',
  starts_at: 'string?',
  time_text: 'string',
  duration_minutes: 'number',
  spots: 'number',
  spots_left: 'number',
} as const

export type CourseSummary = RowOf<typeof summaryColumns>
export type Course = RowOf<typeof courseColumns>
export type Workshop = RowOf<typeof workshopColumns>
