import type { HeadFacts } from '@/lib/head'

export type RouteEntry = {
  path: string
  /** The file in src/routes. */
  page: string
  head: HeadFacts
}

const personal = { robots: 'noindex' }

/** Every address of the site. A page may say more about itself than stands here (a course's title). */
export const table: readonly RouteEntry[] = [
  {
    path: '/',
    page: 'home',
    head: {
      title: 'Greenroom – courses for creators and performers',
      description:
        'Video courses in acting, filmmaking, AI tools, content and business, taught by people who do the work. Browse, save and join the waitlist.',
    },
  },
  { path: '/course/:id', page: 'course', head: { title: 'Course' } },
  {
    path: '/search',
    page: 'search',
    head: { title: 'Search courses', description: 'Find a course by title, instructor, category or subject.' },
  },
  {
    path: '/trending',
    page: 'trending',
    head: { title: 'Trending Now', description: 'The twelve highest-rated courses on Greenroom.' },
  },
  { path: '/my-list', page: 'my-list', head: { title: 'My List', description: 'The courses you saved.', ...personal } },
  {
    path: '/waitlist',
    page: 'waitlist',
    head: { title: 'Waitlist', description: 'The courses you are waiting for.', ...personal },
  },
  {
    path: '/auth',
    page: 'auth',
    head: { title: 'Sign in', description: 'Sign in to Greenroom or create an account.', ...personal },
  },
  {
    path: '/auth/reset-password',
    page: 'reset-password',
    head: { title: 'Set a new password', description: 'Choose a new password for your account.', ...personal },
  },
  {
    path: '/account',
    page: 'account',
    head: { title: 'Account', description: 'Your Greenroom account.', ...personal },
  },
  {
    path: '/settings',
    page: 'settings',
    head: { title: 'Settings', description: 'Your password, your second step and your devices.', ...personal },
  },
  { path: '/admin', page: 'admin', head: { title: 'Admin Panel', description: 'Manage the catalogue.', ...personal } },
  {
    path: '/recommendations',
    page: 'recommendations',
    head: { title: 'Recommend a New Course', description: 'Tell us which course you would like to see next.' },
  },
  {
    path: '/help-center',
    page: 'help-center',
    head: {
      title: 'Help Center',
      description: 'Ask us anything about courses and accounts. We answer within 24-48 hours.',
    },
  },
  {
    path: '/contact',
    page: 'contact',
    head: { title: 'Contact', description: 'Write to us. We reply within 24 hours.' },
  },
  {
    path: '/investor-relations',
    page: 'investor-relations',
    head: { title: 'Investor Relations', description: 'Talk to us about investing in Greenroom.' },
  },
  {
    path: '/sponsorships',
    page: 'sponsorships',
    head: { title: 'Corporate Sponsorships', description: 'Sponsor courses and workshops on Greenroom.' },
  },
  {
    path: '/privacy-policy',
    page: 'privacy-policy',
    head: {
      title: 'Privacy Policy',
      description: 'What Greenroom stores about you, why, and what you can do about it.',
    },
  },
  {
    path: '/terms-and-conditions',
    page: 'terms-and-conditions',
    head: { title: 'Terms and Conditions', description: 'The agreement between you and Greenroom.' },
  },
  {
    path: '*',
    page: 'not-found',
    head: { title: 'Page not found', description: 'There is nothing at this address.', status: 404, robots: 'noindex' },
  },
]
