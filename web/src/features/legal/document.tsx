import { type ReactNode, useId } from 'react'
import { PageTitle } from '@/ui/page-title'

export type Section = { title: string; body: ReactNode }

const anchor = (title: string) => title.toLowerCase().replace(/[^a-z]+/g, '-')

/** A legal text with its table of contents. */
export function LegalDocument({ title, updated, intro, sections }: LegalDocumentProps) {
  const contents = useId()
  return (
    <div className="page">
      <PageTitle lead={`Last updated ${updated}`}>{title}</PageTitle>
      <div className="grid gap-12 lg:grid-cols-[260px_minmax(0,65ch)] lg:gap-20">
        <nav aria-labelledby={contents} className="self-start lg:sticky lg:top-[calc(var(--header)+32px)]">
          <h2 id={contents} className="kicker text-faint">
            Contents
          </h2>
          <ol className="mt-3 text-meta">
            {sections.map((section, index) => (
              <li key={section.title}>
                <a
                  href={`#${anchor(section.title)}`}
                  className="flex min-h-9 items-center gap-2 py-1 text-muted transition-colors hover:text-foreground"
                >
                  <span className="w-5 shrink-0 text-faint tabular-nums">{index + 1}</span>
                  {section.title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <div>
          <div className="text-lg leading-relaxed text-soft">{intro}</div>
          {sections.map((section, index) => (
            <section key={section.title} id={anchor(section.title)} className="mt-10 scroll-mt-24">
              <h2 className="text-row font-semibold tracking-tight">
                {index + 1}. {section.title}
              </h2>
              <div className="mt-3 grid gap-3 text-soft [&_a]:text-accent [&_a]:underline [&_li]:pl-1 [&_ul]:grid [&_ul]:list-disc [&_ul]:gap-1.5 [&_ul]:pl-5">
                {section.body}
              </div>
            </section>
          ))}
        </div>
      </div>
    </div>
  )
}

type LegalDocumentProps = { title: string; updated: string; intro: ReactNode; sections: readonly Section[] }
