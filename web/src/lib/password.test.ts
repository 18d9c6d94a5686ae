import { describe, expect, it } from 'vitest'
import { newPassword, password } from './password'

const messages = (text: string) => password.safeParse(text).error?.issues.map(({ message }) => message) ?? []

describe('a password', () => {
  it.each([
    ['', ['Password must be at least 10 characters']],
    ['123456789', ['Password must be at least 10 characters']],
    ['1234567890', []],
    ['          ', []],
    ['🎭'.repeat(9), ['Password must be at least 10 characters']],
    ['🎭'.repeat(10), []],
    ['x'.repeat(128), []],
    ['🎭'.repeat(128), []],
    ['x'.repeat(129), ['Password must be at most 128 characters']],
  ])('%s', (text, expected) => {
    expect(messages(text)).toEqual(expected)
  })

  it('is told of both faults at once', () => {
    const issues = newPassword.safeParse({ password: 'short', confirm: 'other' }).error?.issues ?? []
    expect(issues.map(({ path, message }) => [path[0], message])).toEqual([
      ['password', 'Password must be at least 10 characters'],
      ['confirm', 'Passwords do not match'],
    ])
  })
})
