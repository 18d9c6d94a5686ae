import { dark, glow } from './light'

// Props as shapes: they stand on (0, 0), go up to about -330 and take their light (fill and stroke)
// from the scene around them. What shines by itself says so.

function Tripod() {
  return <path d="M-6 -170H6L14 -120 92 0H80L4 -110V0H-4V-110L-80 0H-92L-14 -120Z" />
}

export function Microphone() {
  return (
    <>
      <path d="M-78 0Q0 -26 78 0Z" />
      <path d="M-5 -12V-226H5V-12Z" />
      <path d="M-22 -226H22L15 -176H-15Z" />
      <rect x="-40" y="-336" width="80" height="112" rx="40" />
      <path d="M-38 -296H38M-39 -278H39M-38 -260H38" stroke={dark} strokeWidth="5" />
      <path d="M-44 -244H44V-230H-44Z" />
    </>
  )
}

export function Chair() {
  return (
    <>
      <path d="M-104 0H-88L104 -148H86ZM104 0H88L-104 -148H-86Z" />
      <path d="M-118 -166H118V-146H-118Z" />
      <path d="M-116 -326H-104V-146H-116ZM116 -326H104V-146H116Z" />
      <path d="M-112 -314Q0 -296 112 -314V-244Q0 -226 -112 -244Z" />
      <path d="M-132 -222H-88V-210H-132ZM132 -222H88V-210H132Z" />
    </>
  )
}

export function Mask() {
  return (
    <>
      <path d="M-7 -60H7V0H-7Z" />
      <path d="M-46 0Q0 -16 46 0Z" />
      <path
        fillRule="evenodd"
        d="M-112 -316Q0 -350 112 -316C126 -212 96 -92 0 -52C-96 -92 -126 -212 -112 -316ZM-78 -250Q-46 -278 -18 -244Q-48 -228 -78 -250ZM78 -250Q46 -278 18 -244Q48 -228 78 -250ZM-52 -150Q0 -104 52 -150Q0 -128 -52 -150Z"
      />
      <path d="M0 -240Q16 -196 -2 -184Q-16 -184 -14 -192" fill="none" strokeWidth="3" />
    </>
  )
}

export function Spotlight() {
  return (
    <>
      <Tripod />
      <g transform="rotate(-18 0 -236)">
        <path d="M-96 -288H40V-184H-96Q-112 -236 -96 -288Z" />
        <path d="M40 -296 62 -310V-162L40 -176Z" />
        <path d="M62 -310 112 -342V-130L62 -162Z" />
        <ellipse cx="62" cy="-236" rx="13" ry="60" fill={glow} stroke="none" opacity=".9" />
        <path d="M-70 -288V-184M-44 -288V-184M-18 -288V-184" stroke={dark} strokeWidth="6" />
      </g>
    </>
  )
}

export function Mirror() {
  const bulbs = [-300, -244, -188, -132].flatMap((y) => [-112, 112].map((x) => [x, y] as const))
  return (
    <>
      <path d="M-150 -52H150V-32H-150ZM-132 -32H-112V0H-132ZM132 -32H112V0H132Z" />
      <rect x="-136" y="-336" width="272" height="284" rx="20" />
      <rect x="-84" y="-310" width="168" height="232" rx="8" fill={dark} />
      <path d="M-84 -150 40 -310H84L-84 -96Z" fill={glow} stroke="none" opacity=".08" />
      {bulbs.map(([x, y]) => (
        <g key={`${x} ${y}`} fill={glow} stroke="none">
          <circle cx={x} cy={y} r="30" opacity=".14" />
          <circle cx={x} cy={y} r="13" opacity=".95" />
        </g>
      ))}
    </>
  )
}

export function RingLight() {
  return (
    <>
      <Tripod />
      <path d="M-5 -160V-120H5V-160Z" />
      <circle cx="0" cy="-244" r="84" fill="none" stroke={glow} strokeWidth="60" opacity=".12" />
      <circle cx="0" cy="-244" r="84" fill="none" stroke={glow} strokeWidth="24" opacity=".92" />
      <rect x="-22" y="-286" width="44" height="84" rx="8" />
      <path d="M-4 -202H4V-156H-4Z" />
    </>
  )
}

export function Camera() {
  return (
    <>
      <Tripod />
      <rect x="-104" y="-286" width="148" height="104" rx="12" />
      <path d="M44 -262 128 -290V-178L44 -206Z" />
      <ellipse cx="128" cy="-234" rx="14" ry="56" />
      <ellipse cx="128" cy="-234" rx="7" ry="34" fill={glow} stroke="none" opacity=".35" />
      <circle cx="-62" cy="-312" r="40" />
      <circle cx="22" cy="-306" r="30" />
      <path d="M-30 -176H30V-164H-30Z" />
    </>
  )
}

export function Clapper() {
  return (
    <>
      <rect x="-158" y="-204" width="316" height="204" rx="12" />
      <path d="M-134 -150H134M-134 -100H134M-30 -150V-26M60 -150V-26" strokeWidth="3" fill="none" />
      <g transform="rotate(-17 -150 -214)">
        <path d="M-158 -262H158V-214H-158Z" />
        {[-120, -44, 32, 108].map((x) => (
          <path key={x} d={`M${x} -262H${x + 36}L${x + 8} -214H${x - 28}Z`} fill={glow} stroke="none" opacity=".55" />
        ))}
      </g>
    </>
  )
}

export function Reel() {
  const holes = [0, 1, 2, 3, 4].map((index) => {
    const angle = (index / 5) * 2 * Math.PI - Math.PI / 2
    return [Math.cos(angle) * 84, -158 + Math.sin(angle) * 84] as const
  })
  return (
    <>
      <path d="M40 -12Q150 -30 230 0H40Z" />
      <circle cx="0" cy="-158" r="156" />
      <circle cx="0" cy="-158" r="138" fill="none" strokeWidth="3" />
      {holes.map(([x, y]) => (
        <circle key={x} cx={x} cy={y} r="38" fill={dark} />
      ))}
      <circle cx="0" cy="-158" r="17" fill={dark} />
    </>
  )
}

export function Phone() {
  return (
    <>
      <Tripod />
      <rect x="-62" y="-336" width="124" height="178" rx="16" />
      <rect x="-50" y="-322" width="100" height="150" rx="6" fill={glow} stroke="none" opacity=".16" />
      <circle cx="0" cy="-262" r="24" fill="none" strokeWidth="4" stroke={glow} opacity=".8" />
      <circle cx="38" cy="-308" r="5" fill="oklch(0.65 0.24 25)" stroke="none" />
    </>
  )
}

export function Pages() {
  return (
    <>
      <path d="M-150 -14 60 -40 140 0H-150Z" />
      {[0, 1, 2].map((page) => (
        <g key={page} transform={`translate(${page * 34 - 30} ${-page * 6}) rotate(${page * 9 - 14})`}>
          <path d="M-84 -300H84V-24H-84Z" />
          <path
            d="M-58 -262H40M-58 -236H58M-20 -206H20M-40 -182H40M-58 -150H58M-58 -126H30M-20 -96H20M-40 -72H40"
            strokeWidth="4"
            fill="none"
            stroke={glow}
            opacity=".32"
          />
        </g>
      ))}
    </>
  )
}

export function Swords() {
  const sword = 'M-7 -46 -5 -310 0 -334 5 -310 7 -46ZM-54 -46H54V-32H-54ZM-8 -32H8V10H-8ZM-14 10H14V28H-14Z'
  return (
    <>
      <g transform="translate(-70 -22) rotate(26)">
        <path d={sword} />
      </g>
      <g transform="translate(70 -22) rotate(-26)">
        <path d={sword} />
      </g>
    </>
  )
}

export function Suitcase() {
  return (
    <>
      <path d="M-48 -214V-250Q-48 -268 -30 -268H30Q48 -268 48 -250V-214H30V-250H-30V-214Z" />
      <rect x="-168" y="-214" width="336" height="206" rx="20" />
      <path d="M-112 -214V-8M112 -214V-8M-168 -120H168" strokeWidth="3" fill="none" />
      <rect x="-96" y="-134" width="34" height="30" rx="4" fill={glow} stroke="none" opacity=".6" />
      <rect x="62" y="-134" width="34" height="30" rx="4" fill={glow} stroke="none" opacity=".6" />
    </>
  )
}
