import type { ComponentType } from 'react'

// Props of the craft as shapes: they stand on (0, 0), go up to about -330 and take their light (fill
// and stroke) from the scene around them. What shines by itself says so.

const glow = 'oklch(0.93 0.09 78)'
const dark = 'oklch(0.1 0.01 265)'

function Tripod() {
  return <path d="M-6 -170H6L14 -120 92 0H80L4 -110V0H-4V-110L-80 0H-92L-14 -120Z" />
}

function Microphone() {
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

function Chair() {
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

function Mask() {
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

function Spotlight() {
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

function Mirror() {
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

function RingLight() {
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

const coins = [
  [-132, 2],
  [-46, 4],
  [40, 7],
  [126, 11],
].flatMap(([x = 0, height = 0]) => Array.from({ length: height }, (_, level) => [x, -26 * level] as const))

function Coins() {
  return coins.map(([x, y]) => (
    <g key={`${x} ${y}`} transform={`translate(${x} ${y})`}>
      <path d="M-38 -10V-28Q0 -14 38 -28V-10Q0 4 -38 -10Z" />
      <ellipse cx="0" cy="-28" rx="38" ry="11" />
    </g>
  ))
}

function Camera() {
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

function Cubes() {
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

function Headphones() {
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

function Keys() {
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

function Clapper() {
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

function Reel() {
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

function Chess() {
  return (
    <>
      <path d="M-30 0H-150Q-150 -22 -134 -30C-112 -70 -112 -150 -118 -176H-132V-192H-112C-130 -220 -124 -252 -96 -258V-276H-110V-292H-96V-312H-84V-292H-70V-276H-84V-258C-56 -252 -50 -220 -68 -192H-48V-176H-62C-68 -150 -68 -70 -46 -30Q-30 -22 -30 0Z" />
      <path d="M148 0H44Q44 -20 58 -26C78 -56 80 -92 76 -112H62V-124H76A38 38 0 1 1 116 -124H130V-112H116C112 -92 114 -56 134 -26Q148 -20 148 0Z" />
    </>
  )
}

function Door() {
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

function Megaphone() {
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

function Magnet() {
  return (
    <>
      <path d="M-136 -320H-64V-150A64 64 0 0 0 64 -150V-320H136V-146A136 136 0 0 1 -136 -146Z" />
      <path d="M-136 -320H-64V-268H-136ZM136 -320H64V-268H136Z" fill={glow} stroke="none" opacity=".6" />
      <path d="M-60 0Q0 -22 60 0Z" />
    </>
  )
}

function Planes() {
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

/** The props that belong to a category's courses, by its gel. */
export const props: Record<string, ComponentType[]> = {
  'acting-performance': [Mask, Mirror, Chair, Spotlight, Microphone],
  'creator-economy': [Coins, RingLight, Headphones, Camera],
  'ai-tools': [Cubes, Keys, Headphones, RingLight],
  'content-creation': [Clapper, Camera, Reel, Microphone, Chair],
  'business-networking': [Chess, Door, Coins, Chair],
  'marketing-growth': [Megaphone, Magnet, Planes, Spotlight],
}
