import { z } from 'zod/v3'

const least = 10
const most = 128

// Characters as people and the server count them: a sign outside the basic plane is one.
const length = (text: string) => [...text].length

export const passwordHint = `Password must be at least ${least} characters long`

export const longEnough = (text: string) => length(text) >= least

/** The rule for a password, the same at sign-in, sign-up and change. */
export const password = z
  .string()
  .refine(longEnough, `Password must be at least ${least} characters`)
  .refine((text) => length(text) <= most, `Password must be at most ${most} characters`)

/** A new password and its confirmation. */
export const newPassword = z
  .object({ password, confirm: z.string() })
  .refine((values) => values.password === values.confirm, { path: ['confirm'], message: 'Passwords do not match' })

export type NewPassword = z.infer<typeof newPassword>
