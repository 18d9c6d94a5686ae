/** Where the navigation leads, on wide screens and on phones. */
export const links = [
  { to: '/', label: 'Home' },
  { to: '/my-list', label: 'My List' },
  { to: '/waitlist', label: 'Waitlist' },
  { to: '/recommendations', label: 'Recommend' },
  { to: '/#trending', label: 'Trending' },
] as const
