import type { ComponentType } from 'react'
import * as desk from './desk-props'
import * as stage from './stage-props'

/** Every prop by its name. */
export const props = { ...stage, ...desk } satisfies Record<string, ComponentType>

export type PropName = keyof typeof props

/** The props that belong to a category's courses, by its gel. */
export const propsOf: Record<string, readonly PropName[]> = {
  'acting-performance': [
    'Mask',
    'Mirror',
    'Chair',
    'Spotlight',
    'Microphone',
    'Phone',
    'Pages',
    'Swords',
    'Suitcase',
    'Globe',
  ],
  'creator-economy': ['Coins', 'RingLight', 'Camera', 'Contract', 'Lantern', 'Door'],
  'ai-tools': ['Cubes', 'Keys', 'Headphones', 'Storyboard', 'Typewriter'],
  'content-creation': ['Clapper', 'Camera', 'Reel', 'Microphone', 'Hourglass', 'Typewriter'],
  'business-networking': ['Chess', 'Door', 'Figures', 'Spotlight', 'Contract'],
  'marketing-growth': ['Megaphone', 'Magnet', 'Planes', 'Envelope', 'Binoculars', 'Rocket'],
}
