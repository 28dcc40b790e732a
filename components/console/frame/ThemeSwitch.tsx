'use client'
import { Monitor, Moon, Sun } from 'lucide-react'
import { createContext, useContext, useState } from 'react'
import { IconButton } from '../../ui/Button'
import { Menu } from '../../ui/overlay/Menu'
import { uiWords } from '../../ui/words'
import { consoleWords } from '../words'
import { chooseTheme, THEMES, type Theme } from './theme'

const icons = { system: Monitor, light: Sun, dark: Moon } satisfies Record<Theme, unknown>

/** The theme of the first paint, from the cookie. */
export const InitialTheme = createContext<Theme>('system')

export function ThemeSwitch() {
  const [theme, setTheme] = useState(useContext(InitialTheme))
  const Icon = icons[theme]
  return (
    <Menu
      label={consoleWords.theme}
      trigger={
        <IconButton label={uiWords.labelled(consoleWords.theme, uiWords.theme[theme])}>
          <Icon size={14} aria-hidden="true" />
        </IconButton>
      }
      entries={THEMES.map((id) => ({
        id,
        label: uiWords.theme[id],
        checked: id === theme,
        onAction: () => {
          setTheme(id)
          chooseTheme(id)
        },
      }))}
    />
  )
}
