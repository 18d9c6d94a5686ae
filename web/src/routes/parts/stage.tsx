/** The lit stage behind the workshop, with the left kept quiet for its words. */
export function Stage() {
  return (
    <div aria-hidden="true" className="absolute inset-0">
      <img
        src="/stage.svg"
        alt=""
        width={1600}
        height={900}
        fetchPriority="high"
        className="absolute inset-0 size-full object-cover object-[72%_50%] max-sm:bottom-auto max-sm:h-[66%]"
      />
      <div className="absolute inset-0 bg-linear-to-r from-background via-background/40 to-transparent to-75% max-sm:hidden" />
      <div className="absolute inset-x-0 bottom-0 h-2/5 bg-linear-to-t from-background via-background/40 to-transparent max-sm:h-3/4 max-sm:via-background/85" />
    </div>
  )
}
