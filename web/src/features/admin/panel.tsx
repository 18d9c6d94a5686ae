import { clsx } from 'clsx'
import { Tabs } from 'radix-ui'
import { type ReactNode, useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useParameter } from '@/lib/address'
import type { Course } from '@/lib/rows'
import { Link } from '@/ui/link'
import { AuditView } from './audit-view'
import { CoursesTab } from './courses-tab'
import { useEmailCounts, useIsRefused } from './mail'
import { MailView } from './mail-view'
import { InquiriesTab, RecommendationsTab } from './messages-tab'
import { useCount } from './pages'
import { type Tab, tabs } from './reads'
import { WaitlistTab } from './waitlist-tab'
import { WorkshopView } from './workshop-view'

const names: Record<Tab, string> = {
  courses: 'Courses',
  waitlist: 'Waitlist',
  recommendations: 'Recommendations',
  inquiries: 'Inquiries',
}

const views = { workshop: 'Workshop', mail: 'Mail', audit: 'Audit trail' } as const
type View = keyof typeof views

export type PanelProps = { categories: readonly string[]; still: (course: Course) => ReactNode }

// The room at its sides is for the ring of the focus; what marks the chosen one is as wide as its words.
const entry =
  "relative inline-flex min-h-12 shrink-0 items-center px-2 text-[0.9375rem] font-medium text-muted transition-colors after:absolute after:inset-x-2 after:bottom-0 after:h-0.5 after:content-[''] hover:text-foreground focus-visible:outline-offset-[-3px]"

/** The desk: four lists of what people sent and see, and three views of how the house runs. */
export function Panel({ categories, still }: PanelProps) {
  const [wanted] = useParameter('tab')
  const navigate = useNavigate()
  const view = Object.keys(views).find((one) => one === wanted) as View | undefined
  const tab = tabs.find((one) => one === wanted) ?? 'courses'
  const strip = useShownEntry(view ?? tab)
  const isRefused = useIsRefused()
  const go = (to: string) => void navigate(`/admin?tab=${to}`, { state: { stay: true } })
  return (
    <Tabs.Root value={view ?? tab} onValueChange={go} activationMode="manual">
      {isRefused && (
        <p role="alert" className="mb-4 rounded-card border border-gold/40 bg-gold/10 px-4 py-3">
          Every admin here needs two-step verification. Set it up in{' '}
          <Link to="/settings" className="underline underline-offset-4">
            Settings
          </Link>
          , then sign in with it.
        </p>
      )}
      <div
        ref={strip}
        className="sticky top-(--header) z-20 -mx-2 mb-6 flex gap-x-3 overflow-x-auto scroll-pr-18 bg-background bg-[linear-gradient(var(--color-hairline),var(--color-hairline))] bg-[size:calc(100%-16px)_1px] bg-[position:8px_100%] bg-no-repeat [scrollbar-width:none] max-lg:after:pointer-events-none max-lg:after:sticky max-lg:after:right-0 max-lg:after:w-14 max-lg:after:shrink-0 max-lg:after:bg-linear-to-r max-lg:after:from-transparent max-lg:after:to-background max-lg:after:to-75% max-lg:after:content-['']"
      >
        <Tabs.List aria-label="Lists" className="flex shrink-0 gap-x-3">
          {tabs.map((one) => (
            <Tabs.Trigger
              key={one}
              value={one}
              className={clsx(entry, 'data-[state=active]:text-foreground data-[state=active]:after:bg-accent')}
            >
              {names[one]}
              <Count tab={one} />
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <nav aria-label="More" className="flex shrink-0 gap-x-3 md:ml-auto">
          {Object.entries(views).map(([one, name]) => (
            <Link
              key={one}
              to={`/admin?tab=${one}`}
              aria-current={view === one ? 'page' : undefined}
              className={clsx(entry, 'aria-[current]:text-foreground aria-[current]:after:bg-accent')}
            >
              {name}
              {one === 'mail' && <Failures />}
            </Link>
          ))}
        </nav>
      </div>
      <Tabs.Content value="courses">
        <CoursesTab categories={categories} still={still} />
      </Tabs.Content>
      <Tabs.Content value="waitlist">
        <WaitlistTab />
      </Tabs.Content>
      <Tabs.Content value="recommendations">
        <RecommendationsTab />
      </Tabs.Content>
      <Tabs.Content value="inquiries">
        <InquiriesTab />
      </Tabs.Content>
      {view === 'workshop' && <WorkshopView />}
      {view === 'mail' && <MailView />}
      {view === 'audit' && <AuditView />}
    </Tabs.Root>
  )
}

/** Where the strip is too long for the screen, the chosen entry is the one that shows, and then the one with the focus. */
function useShownEntry(chosen: string) {
  const strip = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is another entry
  useEffect(() => {
    const entry = strip.current?.querySelector<HTMLElement>('[data-state="active"], [aria-current]')
    if (strip.current && entry) strip.current.scrollLeft = entry.offsetLeft - 16
  }, [chosen])
  // A part that can be seen is enough for the browser; the rest would be behind the fade.
  useEffect(() => {
    const show = ({ target }: FocusEvent) => (target as Element).scrollIntoView({ inline: 'nearest', block: 'nearest' })
    const element = strip.current
    element?.addEventListener('focusin', show)
    return () => element?.removeEventListener('focusin', show)
  }, [])
  return strip
}

function Count({ tab }: { tab: Tab }) {
  const count = useCount(tab)
  return <span className="ml-1 text-faint tabular-nums">({count === null ? '–' : count.toLocaleString()})</span>
}

/** How many letters failed: the one number that should not have to be looked for. */
function Failures() {
  const failed = useEmailCounts(60)?.failed ?? 0
  if (failed === 0) return null
  return (
    <span className="ml-2 rounded-full bg-danger/20 px-2 text-[0.8125rem] text-danger tabular-nums">
      {failed}
      <span className="sr-only"> failed</span>
    </span>
  )
}
