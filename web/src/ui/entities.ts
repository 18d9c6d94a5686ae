// The names that a text may write signs with. The parser's own list has two thousand of them, or asks the document by
// writing markup into it; people write these.
const signs: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  copy: '©',
  reg: '®',
  trade: '™',
  deg: '°',
  times: '×',
  frac12: '½',
  eacute: 'é',
}

/** The sign of a name; false where it has none, and the text stays as it was written. */
export const decodeNamedCharacterReference = (name: string): string | false => signs[name] ?? false
