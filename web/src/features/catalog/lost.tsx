import type { ReactNode } from 'react'
import { besideWords, Picture } from '@/ui/picture'
import { Scene } from '@/ui/scene'

type LostProps = { kicker?: string; title: string; hint: string; action: ReactNode; suggestions: ReactNode }

/** Where an address leads nowhere: two empty chairs, a way home, and something to go on with. */
export function Lost({ kicker, title, hint, action, suggestions }: LostProps) {
  return (
    <>
      <Scene
        label={title}
        picture={
          <Picture
            slug="improv-for-actors-who-freeze"
            sizes={besideWords}
            first
            className="absolute inset-0 size-full object-cover"
          />
        }
      >
        {kicker && <p className="kicker text-gold">{kicker}</p>}
        <h1 className="mt-4 max-w-[15ch] font-serif text-hero tracking-[-0.02em] text-balance">{title}</h1>
        <p className="mt-4 max-w-[46ch] text-muted">{hint}</p>
        <div className="mt-8">{action}</div>
      </Scene>
      {suggestions && (
        <section aria-label="While you are here" className="px-(--gutter) pt-8 pb-16">
          <h2 className="mb-6 text-row font-semibold tracking-tight">While you are here</h2>
          {suggestions}
        </section>
      )}
    </>
  )
}
