import { describe, expect, it } from 'vitest'
import { contentOf, replyTo } from './message'
import type { Message } from './rows'

const stored = (part: Partial<Message>): Message => ({
  id: '',
  user_id: '',
  course_title: '',
  course_description: null,
  instructor_name: null,
  email: 'ada@example.com',
  created_at: '',
  kind: 'help',
  ...part,
})

const blank = { subject: '', name: '', company: '', phone: '', text: '' }

describe('a stored message', () => {
  it('is read out of its labelled lines, the message last and whole', () => {
    const description = 'Name: Ada\nCompany: Acme\nPhone: +1 555\nMessage: One\n\nName: not a label here'
    expect(
      contentOf(
        stored({ kind: 'sponsorship', course_title: 'Sponsorship Inquiry: Acme', course_description: description }),
      ),
    ).toEqual({ subject: 'Acme', name: 'Ada', company: 'Acme', phone: '+1 555', text: 'One\n\nName: not a label here' })
  })

  it('has its name in the marker when it came by the contact form', () => {
    const message = stored({
      kind: 'contact',
      course_title: 'Help: me',
      course_description: 'Message: Hi',
      instructor_name: 'Contact: Ada',
    })
    expect(contentOf(message)).toEqual({ ...blank, subject: 'Help: me', name: 'Ada', text: 'Hi' })
  })

  it('is shown as it is when somebody stored it without labels', () => {
    expect(contentOf(stored({ course_title: 'Odd', course_description: 'just\ntext' }))).toEqual({
      ...blank,
      subject: 'Odd',
      text: 'just\ntext',
    })
  })

  it('may be a recommendation, which has no labels', () => {
    const message = stored({ kind: 'recommendation', course_title: 'Falls', course_description: 'Name: a course' })
    expect(contentOf(message)).toEqual({ ...blank, subject: 'Falls', text: 'Name: a course' })
  })
})

it('cannot put another header into the reply', () => {
  expect(replyTo('a+b@example.com?bcc=x', 'A & B')).toBe(
    'mailto:a%2Bb@example.com%3Fbcc%3Dx?subject=Re%3A%20A%20%26%20B',
  )
})
