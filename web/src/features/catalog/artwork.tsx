import { useId } from 'react'

/** A lit stage drawn from the course's id. */
export function Artwork({ id }: { id: string }) {
  const gradient = useId()
  const at = 240 + (Number.parseInt(id.slice(0, 4), 16) % 800)
  return (
    <svg aria-hidden="true" viewBox="0 0 1280 720" preserveAspectRatio="xMidYMid slice" className="size-full">
      <defs>
        <radialGradient id={gradient}>
          <stop offset="0" stopColor="var(--hue)" stopOpacity=".8" />
          <stop offset="1" stopColor="var(--hue)" stopOpacity="0" />
        </radialGradient>
      </defs>
      <ellipse cx={at} cy="620" rx="520" ry="120" fill={`url(#${gradient})`} />
    </svg>
  )
}
