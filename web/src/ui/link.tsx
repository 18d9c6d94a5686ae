import type { ComponentProps, MouseEvent } from 'react'
import { type To, useHref, useLinkClickHandler } from 'react-router'

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { to: To; replace?: boolean }

/**
 * A link to a page of this site, without a page load. The router's own brings along everything
 * that its framework mode prefetches with, which this site has no use for.
 */
export function Link({ to, replace, onClick, ...rest }: LinkProps) {
  const href = useHref(to)
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, replace === undefined ? {} : { replace })
  const click = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (!event.defaultPrevented) follow(event)
  }
  return <a {...rest} href={href} onClick={click} />
}
