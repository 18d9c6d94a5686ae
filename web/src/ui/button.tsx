import { cva, type VariantProps } from 'class-variance-authority'
import { type ComponentProps, cloneElement, type ReactElement } from 'react'

export const buttonLook = cva(
  'press inline-flex shrink-0 select-none items-center justify-center gap-2 rounded-control font-medium whitespace-nowrap disabled:cursor-default',
  {
    variants: {
      look: {
        accent: 'bg-accent text-on-accent font-semibold hover:bg-[oklch(0.79_0.16_56)] disabled:opacity-60',
        primary: 'bg-foreground text-background font-semibold hover:bg-[oklch(0.9_0.005_265)] disabled:opacity-60',
        secondary:
          'bg-surface-2 text-foreground hover:bg-surface-3 disabled:bg-surface-1 disabled:text-muted border border-hairline',
        glass: 'bg-glass-2 text-foreground hover:bg-glass-3 disabled:text-muted',
        ghost: 'text-muted hover:bg-surface-2 hover:text-foreground disabled:opacity-60',
        text: 'text-soft hover:text-accent',
        danger: 'bg-danger/15 text-danger hover:bg-danger/20 disabled:opacity-60',
      },
      size: {
        small: 'h-11 px-3.5 text-meta sm:h-9',
        // As high as a finger needs, however little of it shows.
        bare: 'h-11 text-meta',
        // With the room above it as high as the others.
        card: 'mt-2 h-9 px-3.5 text-meta',
        medium: 'h-11 px-5 text-[0.9375rem]',
        large: 'h-13 px-5 text-base sm:px-7',
      },
    },
    defaultVariants: { look: 'secondary', size: 'medium' },
  },
)

type ButtonProps = ComponentProps<'button'> & VariantProps<typeof buttonLook> & { asChild?: boolean }

/** A button; with `asChild` its look on the one element inside (a link). */
export function Button({ look, size, className, asChild = false, children, ...rest }: ButtonProps) {
  const classes = buttonLook({ look, size, className })
  if (asChild) return cloneElement(children as ReactElement<{ className: string }>, { ...rest, className: classes })
  return (
    <button type="button" className={classes} {...rest}>
      {children}
    </button>
  )
}
