/** What shines by itself, and what takes no light. */
export const glow = 'oklch(0.93 0.09 78)'
export const dark = 'oklch(0.1 0.01 265)'

/** The warm key light of every scene. */
export const key = 'oklch(0.86 0.11 68)'
