import { type Actions, speedName, speeds } from './actions'
import { Choice, type Option } from './choice'
import { clock } from './clock'
import { Shape } from './drawings'
import { SeekBar } from './seek-bar'
import type { Quality } from './source'
import type { Track } from './types'
import type { State } from './use-film'

type ControlsProps = {
  state: State
  actions: Actions
  thumbs: string
  tracks: readonly Track[]
  language: string
  onLanguage: (language: string) => void
  onSpeed: (speed: number) => void
  qualities: readonly Quality[]
  quality: Quality
  onQuality: (quality: Quality) => void
  isFull: boolean
  /** A menu is open: the controls stay. */
  onOpen: (open: boolean) => void
}

const canFloat = () => 'pictureInPictureEnabled' in document && document.pictureInPictureEnabled

const none: Option = { name: 'Off', value: '' }
const auto: Option = { name: 'Auto', value: '0' }

export function Controls(props: ControlsProps) {
  const { state, actions, thumbs, tracks, language, onLanguage, onSpeed, qualities, quality, onQuality, onOpen } = props
  const { time, duration, buffered, paused, volume, muted, speed } = state
  const languages = [none, ...tracks.map((track) => ({ name: track.label, value: track.language }))]
  return (
    <div className="player-controls">
      <SeekBar time={time} duration={duration} buffered={buffered} thumbs={thumbs} onSeek={actions.seek} />
      <div className="player-bar">
        <Press label={paused ? 'Play' : 'Pause'} shape={paused ? 'play' : 'pause'} onPress={actions.toggle} />
        <Press label="Back 10 seconds" shape="back" onPress={() => actions.step(-10)} wide />
        <Press label="Forward 10 seconds" shape="forward" onPress={() => actions.step(10)} wide />
        <div className="player-volume" data-wide>
          <Press
            label={muted ? 'Unmute' : 'Mute'}
            shape={muted || volume === 0 ? 'silent' : 'loud'}
            onPress={actions.mute}
          />
          <input
            type="range"
            aria-label="Volume"
            aria-valuetext={muted ? 'Muted' : `${Math.round(volume * 100)} percent`}
            min={0}
            max={1}
            step={0.05}
            value={muted ? 0 : volume}
            onChange={({ currentTarget }) => actions.setVolume(Number(currentTarget.value))}
          />
        </div>
        <p className="player-time">
          {clock(time)} <span>/ {clock(duration)}</span>
        </p>
        <div className="player-gap" />
        {tracks.length > 0 && (
          <Choice
            label="Captions"
            face={<Shape name="captions" />}
            isOn={language !== ''}
            options={languages}
            value={language}
            onChoose={onLanguage}
            onOpen={onOpen}
          />
        )}
        <Choice
          label={`Speed ${speedName(speed)}`}
          face={<span className="player-speed">{speedName(speed)}</span>}
          isOn={speed !== 1}
          options={speeds.map((value) => ({ name: value === 1 ? 'Normal' : speedName(value), value: String(value) }))}
          value={String(speed)}
          onChoose={(value) => onSpeed(Number(value))}
          onOpen={onOpen}
        />
        {qualities.length > 1 && (
          <Choice
            label="Quality"
            face={<Shape name="quality" />}
            isOn={quality !== 0}
            options={[auto, ...qualities.map((lines) => ({ name: `${lines}p`, value: String(lines) }))]}
            value={String(quality)}
            onChoose={(value) => onQuality(Number(value))}
            onOpen={onOpen}
          />
        )}
        {canFloat() && <Press label="Picture in picture" shape="picture" onPress={actions.inPicture} wide />}
        <Press
          label={props.isFull ? 'Exit full screen' : 'Full screen'}
          shape={props.isFull ? 'small' : 'full'}
          onPress={actions.fullscreen}
        />
      </div>
    </div>
  )
}

type PressProps = { label: string; shape: Shape; onPress: () => void; wide?: boolean }

function Press({ label, shape, onPress, wide }: PressProps) {
  return (
    <button type="button" className="player-button" aria-label={label} onClick={onPress} data-wide={wide || undefined}>
      <Shape name={shape} />
    </button>
  )
}
