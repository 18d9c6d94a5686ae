import type { ReactNode } from 'react'
import { Drawing, type IconProps, drawings as ofEveryPage } from './icon'

export { Drawing, Star } from './icon'

// What no first page shows stands here, so that it is loaded with the page that does.
const drawings = {
  ...ofEveryPage,
  close: <path d="m6 6 12 12M18 6 6 18" />,
  down: <path d="m6 9.5 6 6 6-6" />,
  lessons: (
    <path d="M10 9v6l5-3-5-3ZM5 4.5h14A1.5 1.5 0 0 1 20.5 6v12a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18V6A1.5 1.5 0 0 1 5 4.5Z" />
  ),
  level: <path d="M5.5 19v-5M12 19V9.5M18.5 19V5" />,
  share: <path d="M12 15V4m0 0L8 8m4-4 4 4M5 13v5.5A1.5 1.5 0 0 0 6.5 20h11a1.5 1.5 0 0 0 1.5-1.5V13" />,
  mail: (
    <path d="M4.5 5.5h15a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1h-15a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1Zm-.7.8L12 13l8.2-6.7" />
  ),
  link: (
    <path d="M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.1 3.1a4 4 0 0 0 5.7 5.7l1.1-1.1" />
  ),
  trash: <path d="M5 7h14M10 7V4.5h4V7m-7.5 0 .8 12.5h9.4L17.5 7M10 11v5m4-5v5" />,
  plus: <path d="M12 5v14M5 12h14" />,
  download: <path d="M12 4v11m0 0-4-4m4 4 4-4M5 15.5v3A1.5 1.5 0 0 0 6.5 20h11a1.5 1.5 0 0 0 1.5-1.5v-3" />,
  again: <path d="M19.5 12a7.5 7.5 0 1 1-2.4-5.5l2.4 2.2m0-4.7v4.7h-4.7" />,
  external: <path d="M13 4.5h6.5V11M19 5l-8.5 8.5M17.5 14v4.5a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1H10" />,
} satisfies Record<string, ReactNode>

export type IconName = keyof typeof drawings

/** Any of the drawings that several screens use; one that a single screen shows stands with that screen. */
export function Icon({ name, ...rest }: IconProps<IconName>) {
  return <Drawing {...rest}>{drawings[name]}</Drawing>
}
