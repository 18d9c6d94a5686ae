import { settings } from '@/lib/settings'
import { Link } from '@/ui/link'
import { Logo } from './logo'

const groups = [
  {
    title: 'Company',
    links: [
      { to: '/contact', label: 'Contact' },
      { to: '/investor-relations', label: 'Investor Relations' },
      { to: '/sponsorships', label: 'Corporate Sponsorships' },
    ],
  },
  {
    title: 'Support',
    links: [
      { to: '/help-center', label: 'Help Center' },
      { to: '/recommendations', label: 'Recommend a Course' },
    ],
  },
  {
    title: 'Legal',
    links: [
      { to: '/privacy-policy', label: 'Privacy Policy' },
      { to: '/terms-and-conditions', label: 'Terms and Conditions' },
    ],
  },
]

const networks = [
  { key: 'instagram', label: 'Instagram' },
  { key: 'youtube', label: 'YouTube' },
  { key: 'x', label: 'X' },
  { key: 'linkedin', label: 'LinkedIn' },
] as const

const link = 'inline-flex min-h-11 items-center text-muted transition-colors hover:text-foreground sm:min-h-9'

export function Footer() {
  const { social } = settings()
  return (
    <footer className="ahead mt-16 border-t border-hairline px-(--gutter) pt-14 pb-10 [--ahead:840px] sm:[--ahead:345px]">
      <div className="grid gap-10 sm:grid-cols-[1.6fr_1fr_1fr_1fr]">
        <div>
          <Logo />
          <p className="mt-4 max-w-[34ch] text-meta text-muted">
            The room before the stage: courses for people who create and perform.
          </p>
        </div>
        {groups.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <h2 className="kicker mb-2 text-faint">{title}</h2>
            <ul className="text-[0.9375rem]">
              {links.map(({ to, label }) => (
                <li key={to}>
                  <Link to={to} className={link}>
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
      <div className="mt-12 flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-t border-hairline pt-6 text-meta text-faint">
        <p>© Greenroom. All rights reserved.</p>
        <ul aria-label="Social profiles" className="flex flex-wrap gap-x-6">
          {networks.map(({ key, label }) => (
            <li key={key}>
              <a href={social[key]} target="_blank" rel="noopener noreferrer" className={link}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </footer>
  )
}
