/** Where the navigation leads, on wide screens and on phones. */
export const links = [
  { to: '/', label: 'Home' },
  { to: '/my-list', label: 'My List' },
  { to: '/waitlist', label: 'Waitlist' },
  { to: '/recommendations', label: 'Recommend' },
  { to: '/#trending', label: 'Trending' },
] as const

/** Whether a link stands for the page on show; the anchor of a row also for the page that shows more of it. */
export const leadsTo = (to: string, pathname: string) => (to.replace('#', '') === pathname ? 'page' : undefined)
