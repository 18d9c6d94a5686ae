import type { ReactNode } from 'react'
import { Head } from '@/lib/head'

/** The dressing room beside a form: half the screen on a desk, a strip of light on a phone. */
export function Room({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="relative lg:grid lg:min-h-dvh lg:grid-cols-2">
      <Head title={title} robots="noindex" />
      <div aria-hidden="true" className="absolute inset-x-0 top-0 h-60 overflow-hidden lg:relative lg:h-auto">
        <img
          src="/art/dressing-room.webp"
          alt=""
          width="1200"
          height="1300"
          fetchPriority="high"
          className="absolute top-0 left-1/2 w-146 max-w-none -translate-x-1/2 lg:h-full lg:w-full lg:object-cover"
        />
        <div className="absolute inset-x-0 bottom-0 h-32 bg-[linear-gradient(to_top,var(--color-background),transparent)] lg:hidden" />
      </div>
      <div className="relative px-(--gutter) pt-48 pb-16 lg:pt-[22dvh]">
        <div className="mx-auto max-w-104">{children}</div>
      </div>
    </div>
  )
}
