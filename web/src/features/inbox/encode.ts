import { contactMarker, prefixes } from '@/lib/inquiry'

// What has no column of its own stands in the description, one labelled line each, the message last.

export type Help = { name: string; email: string; subject: string; message: string }
export type Contact = Help
export type Investor = { name: string; email: string; company: string; message: string }
export type Sponsorship = { company: string; name: string; email: string; phone: string; message: string }
export type Recommendation = { title: string; description: string; instructor: string; email: string }

/** A row of course_recommendations, less who sends it. */
export type Row = {
  course_title: string
  course_description: string | null
  instructor_name: string | null
  email: string
}

const lines = (pairs: readonly (readonly [label: string, value: string])[]) =>
  pairs
    .filter(([, value]) => value !== '')
    .map(([label, value]) => `${label}: ${value}`)
    .join('\n')

export const encode = {
  recommendation: ({ title, description, instructor, email }: Recommendation): Row => ({
    course_title: title,
    course_description: description || null,
    instructor_name: instructor || null,
    email,
  }),
  help: ({ name, email, subject, message }: Help): Row => ({
    course_title: prefixes.help + subject,
    course_description: lines([
      ['Name', name],
      ['Message', message],
    ]),
    instructor_name: 'Help Center',
    email,
  }),
  contact: ({ name, email, subject, message }: Contact): Row => ({
    course_title: subject,
    course_description: lines([['Message', message]]),
    instructor_name: contactMarker + name,
    email,
  }),
  investor: ({ name, email, company, message }: Investor): Row => ({
    course_title: prefixes.investor + (company || name),
    course_description: lines([
      ['Name', name],
      ['Company', company],
      ['Message', message],
    ]),
    instructor_name: 'Investor Relations',
    email,
  }),
  sponsorship: ({ company, name, email, phone, message }: Sponsorship): Row => ({
    course_title: prefixes.sponsorship + company,
    course_description: lines([
      ['Name', name],
      ['Company', company],
      ['Phone', phone],
      ['Message', message],
    ]),
    instructor_name: 'Corporate Sponsorships',
    email,
  }),
}
