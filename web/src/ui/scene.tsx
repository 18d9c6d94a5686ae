import type { ReactNode } from 'react'

type SceneProps = { label: string; picture: ReactNode; children: ReactNode }

/** The head of a page with a picture. The words never stand on its prop: below it on phones, to its left elsewhere. */
export function Scene({ label, picture, children }: SceneProps) {
  return (
    <section aria-label={label} className="relative overflow-hidden sm:flex sm:min-h-[min(72svh,720px)] sm:items-end">
      <div
        data-passage
        className="relative h-[70vw] [mask-image:linear-gradient(#000_62%,transparent)] sm:absolute sm:inset-y-0 sm:right-0 sm:h-auto sm:w-[70%] sm:[mask-image:linear-gradient(to_right,transparent_8%,#000_66%)]"
      >
        {picture}
        <div className="absolute inset-x-0 bottom-0 scrim-floor h-2/5 max-sm:hidden" />
      </div>
      <div className="relative w-full px-(--gutter) pb-10 max-sm:-mt-6 sm:pt-[calc(var(--header)+96px)]">
        {children}
      </div>
    </section>
  )
}
