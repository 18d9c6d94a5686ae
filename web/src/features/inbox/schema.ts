import { z } from 'zod/v3'

const length = (text: string) => [...text].length

/** Text of at most so many characters, as a person counts them. */
const atMost = (most: number) =>
  z
    .string()
    .trim()
    .refine((text) => length(text) <= most, `String must contain at most ${most} character(s)`)

const needed = (most: number, message: string) =>
  z
    .string()
    .trim()
    .min(1, message)
    .refine((text) => length(text) <= most, `String must contain at most ${most} character(s)`)

export const limits = {
  title: 100,
  instructor: 100,
  description: 500,
  name: 100,
  subject: 150,
  phone: 50,
  message: 5000,
}

const required = 'Required'
const email = z.string().trim().min(1, required).email('Invalid email address')
const name = needed(limits.name, required)
const message = needed(limits.message, required)

export const recommendationSchema = z.object({
  title: needed(limits.title, 'Course title is required'),
  description: atMost(limits.description),
  instructor: atMost(limits.instructor),
  email: z.string().trim().email('Valid email is required'),
})

export const helpSchema = z.object({ name, email, subject: needed(limits.subject, required), message })

export const investorSchema = z.object({ name, email, company: atMost(limits.name), message })

export const sponsorshipSchema = z.object({ company: name, name, email, phone: atMost(limits.phone), message })
