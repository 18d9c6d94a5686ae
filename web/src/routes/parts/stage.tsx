import { acrossPage, Picture } from '@/ui/picture'

/** The lit stage behind the workshop, with the left kept quiet for its words. */
export function Stage() {
  return (
    <div aria-hidden="true" className="absolute inset-0">
      <Picture
        slug="workshop"
        sizes={acrossPage}
        first
        className="absolute inset-0 size-full object-cover object-[72%_50%] max-sm:bottom-auto max-sm:h-[54%] max-sm:[mask-image:linear-gradient(#000_65%,transparent)]"
      />
      <div className="absolute inset-0 scrim-side max-sm:hidden" />
      <div className="absolute inset-x-0 bottom-0 scrim-floor h-2/5 max-sm:h-3/4" />
    </div>
  )
}
