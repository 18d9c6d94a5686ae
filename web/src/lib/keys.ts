/**
 * The names of what the query cache keeps. What belongs to somebody carries their id, by which it is dropped when they
 * leave (app/shell.tsx).
 */
export const keys = {
  /** All reads of a table; lib/read.ts adds the read. */
  table: (table: string) => ['rest', table] as const,
  saved: (user: string) => ['saved', user] as const,
}
