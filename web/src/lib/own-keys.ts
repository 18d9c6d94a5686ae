/** The names of what only settings and the desks keep (lib/keys.ts has the others): no first page carries them. */
export const ownKeys = {
  devices: (user: string) => ['devices', user] as const,
  passkeys: (user: string) => ['passkeys', user] as const,
  factors: (user: string) => ['factors', user] as const,
  recoveryCodes: (user: string) => ['recovery codes', user] as const,
  identities: (user: string) => ['identities', user] as const,
  standing: (user: string) => ['standing', user] as const,
  /** Everything that the admin panel keeps. */
  admin: (user: string) => ['admin', user] as const,
  /** Everything that the studio keeps. */
  teach: (user: string) => ['teach', user] as const,
}
