/**
 * The names of what the query cache keeps. What belongs to somebody carries their id, by which it is dropped when they
 * leave (app/shell.tsx).
 */
export const keys = {
  /** All reads of a table; lib/read.ts adds the read. */
  table: (table: string) => ['rest', table] as const,
  saved: (user: string) => ['saved', user] as const,
  devices: (user: string) => ['devices', user] as const,
  passkeys: (user: string) => ['passkeys', user] as const,
  factors: (user: string) => ['factors', user] as const,
  recoveryCodes: (user: string) => ['recovery codes', user] as const,
  identities: (user: string) => ['identities', user] as const,
  standing: (user: string) => ['standing', user] as const,
  /** Everything that the admin panel keeps. */
  admin: (user: string) => ['admin', user] as const,
}
