'use client'
import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../ui/Button'
import { Menu } from '../ui/Menu'
import { uiWords } from '../ui/words'
import { chooseTheme, THEMES, type Theme } from './theme'
import { consoleWords } from './words'

const icons = { system: Monitor, light: Sun, dark: Moon } satisfies Record<Theme, unknown>

export function ThemeSwitch({ initial }: { initial: Theme }) {
  const [theme, setTheme] = useState(initial)
  const Icon = icons[theme]
  return (
    <Menu
      label={consoleWords.theme}
      trigger={
        <IconButton label={`${consoleWords.theme}: ${uiWords.theme[theme]}`}>
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
