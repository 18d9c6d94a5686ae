import type { ReactNode } from 'react'
import { Icon, type IconName } from '@/ui/all-icons'
import { Picture } from '@/ui/picture'

type FormPageProps = {
  kicker: string
  title: string
  lead: string
  /** What a writer wants to know before writing: when somebody answers, and who. */
  facts?: readonly Fact[]
  /** The picture beside the words. */
  slug: string
  /** What a reader may want to know as well, below. */
  more?: ReactNode
  children: ReactNode
}

export type Fact = { icon: IconName; label: string; lines: readonly ReactNode[] }

/**
 * What a page with a message form looks like: the reason to write beside the form. In a narrow window the form comes first
 * after the title, for whoever opens the page has their reason already.
 */
export function FormPage({ kicker, title, lead, facts = [], slug, more, children }: FormPageProps) {
  return (
    <div className="page grid gap-x-20 gap-y-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:grid-rows-[auto_1fr] lg:pt-[calc(var(--header)+72px)]">
      <header>
        <p className="kicker text-gold">{kicker}</p>
        <h1 className="mt-4 font-serif text-title tracking-tight text-balance">{title}</h1>
        <p className="mt-4 max-w-[46ch] text-muted">{lead}</p>
      </header>
      <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1">{children}</div>
      <div>
        <div className="still-edge relative aspect-[21/9] overflow-hidden rounded-card">
          <Picture slug={slug} sizes="(max-width: 1023px) 92vw, 480px" className="size-full object-cover" />
        </div>
        {facts.length > 0 && <Facts facts={facts} />}
      </div>
      {more && <div className="col-span-full mt-6 grid gap-12">{more}</div>}
    </div>
  )
}

function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="mt-8 grid gap-5 sm:grid-cols-3 lg:grid-cols-1">
      {facts.map(({ icon, label, lines }) => (
        <div key={label} className="grid grid-cols-[20px_1fr] gap-x-3.5">
          <Icon name={icon} className="mt-0.5 text-gold" />
          <dt className="font-medium">{label}</dt>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change
            <dd key={index} className="col-start-2 text-muted">
              {line}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  )
}

type Point = readonly [title: string, text: string]

/** A few things side by side, under one heading. */
export function Points({ title, points }: { title: string; points: readonly Point[] }) {
  return (
    <section aria-label={title}>
      <h2 className="text-row font-semibold tracking-tight">{title}</h2>
      <ol className="mt-5 grid gap-x-10 gap-y-5 sm:grid-cols-3">
        {points.map(([name, text]) => (
          <li key={name} className="border-t border-hairline pt-4">
            <h3 className="font-serif text-2xl">{name}</h3>
            <p className="mt-2 text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
