import { dark, glow } from './light'

// Props as shapes: they stand on (0, 0), go up to about -330 and take their light (fill and stroke)
// from the scene around them. What shines by itself says so.

const coins = [
  [-132, 2],
  [-46, 4],
  [40, 7],
  [126, 11],
].flatMap(([x = 0, height = 0]) => Array.from({ length: height }, (_, level) => [x, -26 * level] as const))

export function Coins() {
  return coins.map(([x, y]) => (
    <g key={`${x} ${y}`} transform={`translate(${x} ${y})`}>
      <path d="M-38 -10V-28Q0 -14 38 -28V-10Q0 4 -38 -10Z" />
      <ellipse cx="0" cy="-28" rx="38" ry="11" />
    </g>
  ))
}

export function Cubes() {
  const cubes = [
    [-82, 0, 74],
    [66, 0, 92],
    [2, -128, 66],
  ] as const
  return cubes.map(([x, y, size]) => (
    <g key={x} transform={`translate(${x} ${y})`}>
      <path d={`M0 0L${-size} ${-size * 0.36}V${-size * 1.3}L0 ${-size * 0.94}Z`} />
      <path d={`M0 0L${size} ${-size * 0.36}V${-size * 1.3}L0 ${-size * 0.94}Z`} />
      <path d={`M0 ${-size * 0.94}L${-size} ${-size * 1.3}L0 ${-size * 1.66}L${size} ${-size * 1.3}Z`} />
      <circle cx="0" cy={-size * 0.86} r={size * 0.62} fill="var(--hue)" stroke="none" opacity=".2" />
      <circle cx="0" cy={-size * 0.86} r={size * 0.2} fill={glow} stroke="none" opacity=".85" />
    </g>
  ))
}

export function Headphones() {
  return (
    <>
      <path d="M-128 -120C-150 -360 150 -360 128 -120H106C124 -326 -124 -326 -106 -120Z" />
      <rect x="-142" y="-172" width="58" height="148" rx="28" />
      <rect x="84" y="-172" width="58" height="148" rx="28" />
      <rect x="-100" y="-164" width="34" height="132" rx="17" />
      <rect x="66" y="-164" width="34" height="132" rx="17" />
    </>
  )
}

export function Keys() {
  return (
    <>
      <path d="M-190 -34H190V0H-190Z" />
      {Array.from({ length: 11 }, (_, index) => {
        const x = -186 + index * 34
        const lift = 44 + 150 * Math.exp(-(((index - 7) / 2.6) ** 2))
        return <path key={x} d={`M${x} ${-lift - 34}H${x + 31}V-34H${x}Z`} />
      })}
    </>
  )
}

export function Chess() {
  return (
    <>
      <path d="M-30 0H-150Q-150 -22 -134 -30C-112 -70 -112 -150 -118 -176H-132V-192H-112C-130 -220 -124 -252 -96 -258V-276H-110V-292H-96V-312H-84V-292H-70V-276H-84V-258C-56 -252 -50 -220 -68 -192H-48V-176H-62C-68 -150 -68 -70 -46 -30Q-30 -22 -30 0Z" />
      <path d="M148 0H44Q44 -20 58 -26C78 -56 80 -92 76 -112H62V-124H76A38 38 0 1 1 116 -124H130V-112H116C112 -92 114 -56 134 -26Q148 -20 148 0Z" />
    </>
  )
}

export function Door() {
  return (
    <>
      <path d="M-96 0V-330H96V0H74V-308H-74V0Z" />
      <path d="M-74 0V-308H20L20 -300 -30 -284V-14L-30 0Z" />
      <path d="M-30 0V-284L74 -308V0Z" fill={glow} stroke="none" opacity=".5" />
      <path d="M-30 0H74L190 44H-60Z" fill={glow} stroke="none" opacity=".16" />
      <circle cx="-42" cy="-150" r="6" fill={glow} stroke="none" />
    </>
  )
}

export function Megaphone() {
  return (
    <g transform="rotate(-12) translate(0 -60)">
      <path d="M-128 -128H-84V-44H-128Q-146 -86 -128 -128Z" />
      <path d="M-84 -134 96 -234V62L-84 -38Z" />
      <ellipse cx="96" cy="-86" rx="34" ry="148" />
      <ellipse cx="96" cy="-86" rx="18" ry="104" fill={dark} />
      <path d="M-72 -40 -40 -30 -24 46H-62Z" />
    </g>
  )
}

export function Magnet() {
  return (
    <>
      <path d="M-136 -320H-64V-150A64 64 0 0 0 64 -150V-320H136V-146A136 136 0 0 1 -136 -146Z" />
      <path d="M-136 -320H-64V-268H-136ZM136 -320H64V-268H136Z" fill={glow} stroke="none" opacity=".6" />
      <path d="M-60 0Q0 -22 60 0Z" />
    </>
  )
}

export function Planes() {
  const planes = [
    [-120, -90, 0.7],
    [10, -190, 1],
    [150, -290, 0.62],
  ] as const
  return planes.map(([x, y, size]) => (
    <g key={x} transform={`translate(${x} ${y}) rotate(-16) scale(${size})`}>
      <path d="M-120 -10 120 -60 -30 26Z" />
      <path d="M-30 26 120 -60 10 60Z" />
      <path d="M-30 26 10 60 -24 70Z" />
    </g>
  ))
}

export function Globe() {
  return (
    <>
      <path d="M-70 0Q0 -24 70 0ZM-7 -10V-52H7V-10Z" />
      <path d="M-138 -190A138 138 0 0 0 84 -80L74 -92A122 122 0 0 1 -122 -190Z" />
      <circle cx="0" cy="-194" r="116" />
      <path
        d="M-116 -194H116M-100 -252H100M-100 -136H100M0 -310Q-70 -194 0 -78M0 -310Q70 -194 0 -78M0 -310V-78"
        strokeWidth="3"
        fill="none"
      />
    </>
  )
}

export function Contract() {
  return (
    <>
      <path d="M-130 -30 -104 -300 96 -282 72 -12Z" />
      <path
        d="M-78 -254 60 -242M-82 -220 56 -208M-85 -186 53 -174M-88 -152 20 -143"
        strokeWidth="4"
        fill="none"
        stroke={glow}
        opacity=".32"
      />
      <path d="M-78 -74Q-50 -106 -40 -74T-8 -76T30 -70" strokeWidth="4" fill="none" stroke={glow} opacity=".7" />
      <g transform="translate(34 -72) rotate(34)">
        <path d="M-9 -240H9V-40L0 -8 -9 -40Z" />
        <path d="M-9 -62H9V-40H-9Z" fill={glow} stroke="none" opacity=".7" />
      </g>
    </>
  )
}

export function Lantern() {
  return (
    <>
      <circle cx="0" cy="-132" r="150" fill={glow} stroke="none" opacity=".1" />
      <path d="M-74 0H74L62 -26H-62ZM-62 -232H62L34 -276H-34Z" />
      <path d="M-58 -26H-46V-232H-58ZM58 -26H46V-232H58ZM-6 -26H6V-232H-6Z" />
      <ellipse cx="0" cy="-112" rx="22" ry="46" fill={glow} stroke="none" opacity=".95" />
      <path d="M-30 -276A30 34 0 0 1 30 -276H20A20 24 0 0 0 -20 -276Z" />
    </>
  )
}

export function Typewriter() {
  return (
    <>
      <path d="M-84 -326H84V-176H-84Z" />
      <path
        d="M-58 -296H58M-58 -272H30M-24 -244H24M-44 -222H44"
        strokeWidth="4"
        fill="none"
        stroke={glow}
        opacity=".4"
      />
      <rect x="-160" y="-206" width="320" height="44" rx="22" />
      <path d="M-130 -166H130L174 -22Q176 0 152 0H-152Q-176 0 -174 -22Z" />
      {[-118, -86, -54].map((y, row) =>
        [-3, -2, -1, 0, 1, 2, 3].map((key) => <circle key={`${y} ${key}`} cx={key * (34 + row * 4)} cy={y} r="11" />),
      )}
      <path d="M-92 -30H92V-16H-92Z" />
    </>
  )
}

export function Storyboard() {
  const cards = [
    [-146, -300],
    [-44, -316],
    [58, -300],
    [-146, -186],
    [-44, -202],
    [58, -186],
  ] as const
  return (
    <>
      <path d="M-176 -70H176V-54H-176ZM-160 -54H-148L-178 0H-190ZM160 -54H148L178 0H190Z" />
      {cards.map(([x, y], index) => (
        <g key={`${x} ${y}`}>
          <rect x={x} y={y} width="90" height="92" rx="4" />
          <rect
            x={x + 8}
            y={y + 8}
            width="74"
            height="52"
            fill="var(--hue)"
            stroke="none"
            opacity={0.16 + index * 0.06}
          />
          <circle cx={x + 24 + index * 7} cy={y + 32} r="11" fill={glow} stroke="none" opacity=".7" />
          <path d={`M${x + 10} ${y + 74}H${x + 78}`} strokeWidth="4" stroke={glow} opacity=".35" />
        </g>
      ))}
    </>
  )
}

export function Figures() {
  const figure = 'M-46 0H46L34 -150Q58 -196 0 -204Q-58 -196 -34 -150Z'
  return (
    <>
      <g transform="translate(-86 0)">
        <path d={figure} />
        <circle cx="0" cy="-248" r="40" />
      </g>
      <g transform="translate(86 0)">
        <path d={figure} />
        <circle cx="0" cy="-248" r="40" />
      </g>
      <path d="M-54 -168 0 -128 54 -168 62 -148 0 -100 -62 -148Z" />
    </>
  )
}

export function Hourglass() {
  return (
    <>
      <path d="M-100 0H100V-22H-100ZM-100 -330H100V-308H-100Z" />
      <path d="M-88 -308H-76V-22H-88ZM88 -308H76V-22H88Z" />
      <path d="M-62 -308H62Q62 -214 10 -166Q62 -118 62 -22H-62Q-62 -118 -10 -166Q-62 -214 -62 -308Z" opacity=".8" />
      <path
        d="M-38 -232H38Q26 -198 3 -174V-96L50 -26H-50L-3 -96V-174Q-26 -198 -38 -232Z"
        fill={glow}
        stroke="none"
        opacity=".75"
      />
    </>
  )
}

export function Envelope() {
  return (
    <g transform="rotate(-7 0 -140)">
      <path d="M-20 0H20V-50H-20Z" opacity="0" />
      <path d="M-112 -330H112V-140H-112Z" />
      <path d="M-84 -296H84M-84 -270H40M-84 -244H84" strokeWidth="4" fill="none" stroke={glow} opacity=".4" />
      <path d="M-160 -240 0 -116 160 -240V-20H-160Z" />
      <path d="M-160 -20 -30 -138M160 -20 30 -138" strokeWidth="3" fill="none" />
      <circle cx="0" cy="-112" r="22" fill="oklch(0.55 0.19 30)" stroke="none" />
    </g>
  )
}

export function Binoculars() {
  return (
    <>
      <path d="M-130 -20 -96 -250H-32L-16 -20Z" />
      <path d="M130 -20 96 -250H32L16 -20Z" />
      <path d="M-34 -196H34V-130H-34Z" />
      <rect x="-104" y="-296" width="80" height="50" rx="10" />
      <rect x="24" y="-296" width="80" height="50" rx="10" />
      <ellipse cx="-73" cy="-22" rx="58" ry="20" />
      <ellipse cx="73" cy="-22" rx="58" ry="20" />
      <ellipse cx="-73" cy="-22" rx="38" ry="12" fill={glow} stroke="none" opacity=".45" />
      <ellipse cx="73" cy="-22" rx="38" ry="12" fill={glow} stroke="none" opacity=".45" />
    </>
  )
}

export function Rocket() {
  return (
    <>
      <path d="M-16 -44Q0 40 16 -44Z" fill={glow} stroke="none" opacity=".9" />
      <path d="M-34 -44Q0 90 34 -44Z" fill={glow} stroke="none" opacity=".25" />
      <path d="M-48 -140 -98 -70V-24L-42 -60ZM48 -140 98 -70V-24L42 -60Z" />
      <path d="M0 -336Q64 -268 54 -150Q50 -90 34 -44H-34Q-50 -90 -54 -150Q-64 -268 0 -336Z" />
      <circle cx="0" cy="-204" r="26" fill={dark} />
      <circle cx="0" cy="-204" r="17" fill={glow} stroke="none" opacity=".5" />
    </>
  )
}
