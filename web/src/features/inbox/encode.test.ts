import { describe, expect, it } from 'vitest'
import { encode } from './encode'

const email = 'ada@example.com'

describe('a message as a row', () => {
  it('keeps a recommendation as it is, with null for what was left empty', () => {
    expect(encode.recommendation({ title: 'Stage Combat', description: '', instructor: '', email })).toEqual({
      course_title: 'Stage Combat',
      course_description: null,
      instructor_name: null,
      email,
    })
  })

  it('marks help', () => {
    expect(encode.help({ name: 'Ada', email, subject: 'No sound', message: 'One\nTwo' })).toEqual({
      course_title: 'Help: No sound',
      course_description: 'Name: Ada\nMessage: One\nTwo',
      instructor_name: 'Help Center',
      email,
    })
  })

  it('marks contact with the name and leaves the subject bare', () => {
    expect(encode.contact({ name: 'Ada', email, subject: 'Hello', message: 'Hi' })).toEqual({
      course_title: 'Hello',
      course_description: 'Message: Hi',
      instructor_name: 'Contact: Ada',
      email,
    })
  })

  it.each([
    ['Lovelace Ltd', 'Investor Inquiry: Lovelace Ltd', 'Name: Ada\nCompany: Lovelace Ltd\nMessage: Hi'],
    ['', 'Investor Inquiry: Ada', 'Name: Ada\nMessage: Hi'],
  ])('names an investor by the company %s', (company, course_title, course_description) => {
    expect(encode.investor({ name: 'Ada', email, company, message: 'Hi' })).toEqual({
      course_title,
      course_description,
      instructor_name: 'Investor Relations',
      email,
    })
  })

  it.each([
    ['+1 555 0100', 'Name: Ada\nCompany: Acme\nPhone: +1 555 0100\nMessage: Hi'],
    ['', 'Name: Ada\nCompany: Acme\nMessage: Hi'],
  ])('marks a sponsorship with the phone %s', (phone, course_description) => {
    expect(encode.sponsorship({ company: 'Acme', name: 'Ada', email, phone, message: 'Hi' })).toEqual({
      course_title: 'Sponsorship Inquiry: Acme',
      course_description,
      instructor_name: 'Corporate Sponsorships',
      email,
    })
  })
})
