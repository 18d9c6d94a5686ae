import type { ReactNode } from 'react'
import { Head } from '@/lib/head'
import { Picture } from '@/ui/picture'

/** The picture covers a tall field beside the form: there it is as wide as the screen's height makes it. */
const beside = '(min-width: 1024px) max(50vw, 178vh), 584px'

/** The dressing room's door beside a form: half the screen on a desk, a strip of light on a phone. */
export function Room({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="relative lg:grid lg:min-h-dvh lg:grid-cols-2">
      <Head title={title} robots="noindex" />
      <div
        aria-hidden="true"
        className="absolute inset-x-0 top-0 h-60 overflow-hidden lg:relative lg:h-auto lg:[mask-image:linear-gradient(to_right,#000_80%,transparent)]"
      >
        <Picture
          slug="entrance"
          sizes={beside}
          first
          className="absolute top-0 left-[58%] w-146 min-w-full max-w-none -translate-x-1/2 sm:left-1/2 lg:h-full lg:w-full lg:object-cover"
        />
        <div className="absolute inset-x-0 bottom-0 h-32 bg-[linear-gradient(to_top,var(--color-background),transparent)]" />
      </div>
      <div className="relative px-(--gutter) pt-48 pb-16 lg:pt-[22dvh]">
        <div className="mx-auto max-w-104">{children}</div>
      </div>
    </div>
  )
}
