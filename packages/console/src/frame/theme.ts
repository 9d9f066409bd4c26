// Light, dark or the system's theme, stored in this browser.

export type Theme = "system" | "light" | "dark"

const key = "footfall.theme"
const themes: ReadonlyArray<Theme> = ["system", "light", "dark"]

export const readTheme = (): Theme =>
  themes.find((theme) => theme === localStorage.getItem(key)) ?? "system"

export const setTheme = (theme: Theme): void => {
  localStorage.setItem(key, theme)
  applyTheme(theme)
}

export const applyTheme = (theme: Theme): void => {
  if (theme === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = theme
}

export const themeAfter = (theme: Theme): Theme =>
  themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system"
