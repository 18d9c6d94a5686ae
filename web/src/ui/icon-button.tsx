import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> & { label: string }

/** A round button that shows only an icon; `label` is its name. */
export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      className={clsx(
        'press inline-flex size-11 shrink-0 items-center justify-center rounded-full text-foreground hover:bg-glass-2 disabled:opacity-50',
        className,
      )}
      {...rest}
    />
  )
}
