import { type ChangeEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { clock, inWords } from './clock'
import { readTiles, type Tile, tileAt } from './thumbs'

type SeekBarProps = {
  time: number
  duration: number
  buffered: number
  thumbs: string
  onSeek: (time: number) => void
}

/** The index of the film's pictures, asked for when somebody first points at the bar. */
function useTiles(address: string): [tiles: readonly Tile[], bring: () => void] {
  const [tiles, setTiles] = useState<readonly Tile[]>([])
  const asked = useRef(false)
  const bring = () => {
    if (asked.current || !address) return
    asked.current = true
    fetch(address)
      .then(async (answer) => answer.ok && setTiles(readTiles(await answer.text(), address)))
      .catch(() => {
        asked.current = false
      })
  }
  return [tiles, bring]
}

/** Where the film is, and the way to another moment of it. */
export function SeekBar({ time, duration, buffered, thumbs, onSeek }: SeekBarProps) {
  const [tiles, bring] = useTiles(thumbs)
  const [pointed, setPointed] = useState<number | null>(null)
  const [dragged, setDragged] = useState<number | null>(null)
  const isDown = useRef(false)
  const shown = dragged ?? time
  const part = (moment: number) => (duration > 0 ? Math.min(1, moment / duration) : 0)

  const point = ({ clientX, currentTarget, pointerType }: PointerEvent) => {
    if (pointerType === 'touch' && !isDown.current) return
    const { left, width } = currentTarget.getBoundingClientRect()
    bring()
    setPointed(Math.max(0, Math.min(1, (clientX - left) / width)) * duration)
  }
  const change = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const moment = Number(currentTarget.value)
    if (isDown.current) setDragged(moment)
    else onSeek(moment)
  }
  const drop = () => {
    isDown.current = false
    if (dragged !== null) onSeek(dragged)
    setDragged(null)
    setPointed(null)
  }

  return (
    <div className="player-seek">
      <div className="player-rail" aria-hidden="true">
        <div style={{ transform: `scaleX(${part(buffered)})` }} data-part="buffered" />
        <div style={{ transform: `scaleX(${part(shown)})` }} data-part="played" />
      </div>
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${inWords(shown)} of ${inWords(duration)}`}
        min={0}
        max={duration || 1}
        step={0.1}
        value={shown}
        onChange={change}
        onPointerDown={() => {
          isDown.current = true
        }}
        onPointerUp={drop}
        onPointerCancel={drop}
        onPointerMove={point}
        onPointerLeave={() => !isDown.current && setPointed(null)}
      />
      {pointed !== null && <Preview at={pointed} part={part(pointed)} tile={tileAt(tiles, pointed)} />}
    </div>
  )
}

function Preview({ at, part, tile }: { at: number; part: number; tile: Tile | undefined }) {
  const canvas = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (canvas.current && tile)
      Object.assign(canvas.current.style, {
        width: `${tile.width}px`,
        height: `${tile.height}px`,
        backgroundImage: `url("${tile.sheet}")`,
        backgroundPosition: `-${tile.x}px -${tile.y}px`,
      })
  }, [tile])
  return (
    <div
      className="player-preview"
      aria-hidden="true"
      style={{ left: `clamp(88px, ${part * 100}%, calc(100% - 88px))` }}
    >
      {tile && <div ref={canvas} className="player-tile" />}
      <span>{clock(at)}</span>
    </div>
  )
}
