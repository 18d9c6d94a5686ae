import { useId } from 'react'
import { key } from './light'
import { type PropName, props } from './props'

/** Numbers between 0 and 1 that follow from the id alone, so a course always looks the same. */
export function dice(id: string): () => number {
  let seed = 2166136261
  for (const char of id) seed = Math.imul(seed ^ char.charCodeAt(0), 16777619)
  return () => {
    seed = Math.imul(seed ^ (seed >>> 15), 2246822519) + 0x6d2b79f5
    return ((seed ^ (seed >>> 13)) >>> 0) / 2 ** 32
  }
}

type SceneProps = { seed: string; name: PropName }

/**
 * A still drawn for a course that has none: one prop on a dark stage, a warm key light from above,
 * a rim in the gel of its category (`--hue`), and a floor that gives some of it back. The lower left
 * stays quiet for the title.
 */
export function Scene({ seed, name: prop }: SceneProps) {
  const name = useId()
  const roll = dice(seed)
  const Prop = props[prop]
  const x = 690 + roll() * 240
  const floor = 570 + roll() * 40
  const size = 1.15 + roll() * 0.3
  const lamp = x + (roll() - 0.3) * 420
  const spread = 230 + roll() * 110
  const mirrored = roll() < 0.5 ? -1 : 1
  const motes = Array.from({ length: 14 }, () => ({
    cx: x + (roll() - 0.5) * 520,
    cy: roll() * 500,
    r: 0.8 + roll() * 2,
    opacity: 0.1 + roll() * 0.3,
  }))
  const ref = (part: string) => `url(#${name}${part})`
  return (
    <svg aria-hidden="true" viewBox="0 0 1280 720" preserveAspectRatio="xMidYMid slice" className="size-full">
      <Lights name={name} />
      <rect width="1280" height="720" fill="oklch(0.115 0.012 265)" />
      <rect width="1280" height={floor} fill={ref('curtain')} opacity=".5" />
      <rect width="1280" height={floor} fill={ref('wash')} />
      <path
        d={`M${lamp - 16} -30H${lamp + 16}L${x + spread} ${floor + 16}H${x - spread}Z`}
        fill={ref('beam')}
        filter={ref('soft')}
      />
      <rect y={floor} width="1280" height={720 - floor} fill={ref('floor')} />
      <ellipse cx={x} cy={floor + 22} rx={spread * 1.5} ry="74" fill={ref('pool')} />
      <ellipse cx={x - 190 * mirrored} cy={floor + 6} rx="340" ry="42" fill={ref('spill')} />
      <g
        transform={`translate(${x} ${floor + 8}) scale(${size * mirrored} ${size})`}
        fill={ref('body')}
        stroke={ref('edge')}
      >
        <g transform="scale(1 -.42)" opacity=".2">
          <Prop />
        </g>
        <ellipse cx="0" cy="2" rx="170" ry="13" fill="black" stroke="none" opacity=".55" />
        <Prop />
      </g>
      {motes.map((mote) => (
        <circle key={mote.cx} {...mote} fill="oklch(0.95 0.06 80)" />
      ))}
      <rect width="1280" height="720" fill={ref('vignette')} />
    </svg>
  )
}

function Lights({ name }: { name: string }) {
  return (
    <defs>
      <linearGradient id={`${name}curtain`} x2=".055" spreadMethod="reflect">
        <stop stopColor="black" stopOpacity=".9" />
        <stop offset=".6" stopColor="var(--hue)" stopOpacity=".16" />
        <stop offset="1" stopColor="black" stopOpacity=".5" />
      </linearGradient>
      <linearGradient id={`${name}wash`} y2="1" x2="0">
        <stop stopColor="black" stopOpacity=".75" />
        <stop offset="1" stopColor="var(--hue)" stopOpacity=".13" />
      </linearGradient>
      <linearGradient id={`${name}beam`} y2="1" x2="0">
        <stop stopColor={key} stopOpacity=".5" />
        <stop offset=".55" stopColor={key} stopOpacity=".16" />
        <stop offset="1" stopColor={key} stopOpacity=".07" />
      </linearGradient>
      <linearGradient id={`${name}floor`} y2="1" x2="0">
        <stop stopColor="oklch(0.17 0.014 265)" />
        <stop offset="1" stopColor="oklch(0.1 0.01 265)" />
      </linearGradient>
      <radialGradient id={`${name}pool`}>
        <stop stopColor={key} stopOpacity=".5" />
        <stop offset=".55" stopColor={key} stopOpacity=".14" />
        <stop offset="1" stopColor={key} stopOpacity="0" />
      </radialGradient>
      <radialGradient id={`${name}spill`}>
        <stop stopColor="var(--hue)" stopOpacity=".55" />
        <stop offset="1" stopColor="var(--hue)" stopOpacity="0" />
      </radialGradient>
      <linearGradient id={`${name}body`}>
        <stop stopColor="color-mix(in oklch, var(--hue) 78%, black)" />
        <stop offset=".14" stopColor="color-mix(in oklch, var(--hue) 26%, oklch(0.15 0.01 265))" />
        <stop offset=".42" stopColor="oklch(0.155 0.012 265)" />
        <stop offset=".72" stopColor="oklch(0.24 0.028 60)" />
        <stop offset=".92" stopColor="oklch(0.5 0.075 62)" />
        <stop offset="1" stopColor={key} />
      </linearGradient>
      <linearGradient id={`${name}edge`} x2="1" y2=".6">
        <stop stopColor="var(--hue)" stopOpacity=".8" />
        <stop offset=".5" stopColor={key} stopOpacity=".05" />
        <stop offset="1" stopColor={key} stopOpacity=".55" />
      </linearGradient>
      <radialGradient id={`${name}vignette`} cx=".58" cy=".5" r=".78">
        <stop offset=".45" stopColor="black" stopOpacity="0" />
        <stop offset="1" stopColor="black" stopOpacity=".72" />
      </radialGradient>
      <filter id={`${name}soft`} x="-20%" width="140%">
        <feGaussianBlur stdDeviation="14" />
      </filter>
    </defs>
  )
}
