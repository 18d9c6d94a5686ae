import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router'

// The engine that renders pages on the server has no URLSearchParams, so this is done by hand.

const decode = (text: string) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** The value of a parameter in a query string, '' when absent. */
export function parameter(search: string, name: string): string {
  for (const pair of search.replace(/^\?/, '').split('&')) {
    const [key = '', value = ''] = pair.split(/=(.*)/s)
    if (decode(key) === name) return decode(value)
  }
  return ''
}

/** The query string with the parameter set, or without it when the value is empty. */
export function withParameter(search: string, name: string, value: string): string {
  const others = search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '' && decode(pair.split('=')[0] ?? '') !== name)
  if (value !== '') others.push(`${name}=${encodeURIComponent(value)}`)
  return others.length > 0 ? `?${others.join('&')}` : ''
}

/** A parameter of the address as state; setting it replaces the current history entry. */
export function useParameter(name: string): [string, (value: string) => void] {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const set = useCallback(
    (value: string) => {
      void navigate(
        { pathname, search: withParameter(search, name, value), hash },
        { replace: true, preventScrollReset: true, state: { stay: true } },
      )
    },
    [navigate, pathname, search, hash, name],
  )
  return [parameter(search, name), set]
}
