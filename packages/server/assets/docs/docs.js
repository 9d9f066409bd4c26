// What the API reference has besides its text: the search, tabs for curl, SDK and CLI (one choice for the whole page),
// copy buttons, and the theme. It sends nothing; the two choices are kept in the browser.

const root = document.documentElement
root.classList.add("scripted")

const made = (name, properties, ...inner) => {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...inner)
  return element
}

/** Storage may be refused; then a choice holds for the page. */
const kept = (name) => {
  try {
    return localStorage.getItem(`footfall-docs-${name}`)
  } catch {
    return null
  }
}
const keep = (name, value) => {
  try {
    localStorage.setItem(`footfall-docs-${name}`, value)
  } catch {}
}

// Theme: as the system has it, until someone chooses.
const isDark = () =>
  (root.dataset.theme ??
    (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark"
const theme = made("button", { type: "button" })
const showTheme = (value) => {
  if (value === "dark" || value === "light") root.dataset.theme = value
  theme.textContent = isDark() ? "Light theme" : "Dark theme"
}
showTheme(kept("theme"))
theme.addEventListener("click", () => {
  showTheme(isDark() ? "light" : "dark")
  keep("theme", root.dataset.theme)
})

// On a narrow screen the operations are behind a button.
const nav = document.querySelector("nav")
nav.id = "operations"
const menu = made("button", { type: "button", className: "menu", textContent: "Operations" })
menu.setAttribute("aria-controls", nav.id)
const setMenu = (isOpen) => {
  root.classList.toggle("open", isOpen)
  menu.setAttribute("aria-expanded", String(isOpen))
}
setMenu(false)
menu.addEventListener("click", () => setMenu(!root.classList.contains("open")))
document.querySelector(".tools").append(menu, theme)

// Search: every word must be in an operation or a schema.
const articles = [...document.querySelectorAll("main article")].map((element) => ({
  element,
  text: `${element.id} ${element.textContent}`.toLowerCase(),
  link: nav.querySelector(`a[href="#${CSS.escape(element.id)}"]`)?.parentElement,
}))
const sections = [...document.querySelectorAll("main > section")]
const input = made("input", { type: "search", id: "search", autocomplete: "off" })
const found = made("p", { role: "status" })
document
  .querySelector(".search")
  .append(made("label", { htmlFor: "search", textContent: "Search ( / )" }), input, found)

const search = () => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  let operations = 0
  for (const { element, link, text } of articles) {
    const isFound = words.every((word) => text.includes(word))
    element.hidden = !isFound
    if (link) link.hidden = !isFound
    if (isFound && link) operations += 1
  }
  for (const section of sections) {
    const isEmpty = section.querySelector("article:not([hidden])") === null
    section.hidden = words.length > 0 && isEmpty
    const link = nav.querySelector(`a[href="#${CSS.escape(section.id)}"]`)
    if (link) link.parentElement.hidden = section.hidden
  }
  found.textContent =
    words.length === 0 ? "" : `${operations} ${operations === 1 ? "operation" : "operations"}`
}
let waiting
input.addEventListener("input", () => {
  cancelAnimationFrame(waiting)
  waiting = requestAnimationFrame(() => {
    search()
    scrollTo(0, 0)
  })
})

document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLInputElement
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault()
    setMenu(true)
    input.focus()
    input.select()
  }
  if (event.key !== "Escape") return
  if (isTyping && input.value !== "") {
    input.value = ""
    search()
  } else if (root.classList.contains("open")) {
    setMenu(false)
    if (menu.offsetParent !== null) menu.focus()
  }
})

// A link to what the search hid ends the search.
const arrive = () => {
  const target = document.getElementById(location.hash.slice(1))
  if (target?.closest("[hidden]")) {
    input.value = ""
    search()
    target.scrollIntoView()
  }
  for (const link of nav.querySelectorAll("a")) {
    if (link.getAttribute("href") === location.hash) link.setAttribute("aria-current", "true")
    else link.removeAttribute("aria-current")
  }
}
addEventListener("hashchange", arrive)
arrive()
nav.addEventListener("click", (event) => {
  if (event.target.closest("a")) setMenu(false)
})

// Tabs: the choice is that of the whole page.
const names = ["curl", "SDK", "CLI"]
const groups = [...document.querySelectorAll(".clients")].map((element) => {
  const operation = element.closest("article").id
  const list = made("div", { role: "tablist" })
  list.setAttribute("aria-label", "Example")
  element.classList.add("tabbed")
  const tabs = names.map((name) => {
    const panel = element.querySelector(`[data-client="${name}"]`)
    const tab = made("button", { type: "button", role: "tab", textContent: name })
    tab.id = `${operation}-${name}-tab`
    panel.id = `${operation}-${name}`
    panel.setAttribute("role", "tabpanel")
    panel.setAttribute("aria-labelledby", tab.id)
    tab.setAttribute("aria-controls", panel.id)
    tab.addEventListener("click", () => choose(name, tab))
    list.append(tab)
    return { name, tab, panel }
  })
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const at = tabs.findIndex(({ tab }) => tab === event.target)
    const { name, tab } = tabs[(at + step + tabs.length) % tabs.length]
    choose(name, tab)
    tab.focus()
  })
  element.prepend(list)
  return tabs
})
const show = (chosen) => {
  for (const tabs of groups) {
    for (const { name, panel, tab } of tabs) {
      tab.setAttribute("aria-selected", String(name === chosen))
      tab.tabIndex = name === chosen ? 0 : -1
      panel.hidden = name !== chosen
    }
  }
}
/** The tab stays where it is on the screen while the examples above change their heights. */
const choose = (name, tab) => {
  const before = tab.getBoundingClientRect().top
  show(name)
  keep("client", name)
  scrollBy(0, tab.getBoundingClientRect().top - before)
}
show(names.includes(kept("client")) ? kept("client") : "curl")

// Copy.
for (const pre of document.querySelectorAll("pre")) {
  const box = made("div", { className: "box" })
  const copy = made("button", { type: "button", className: "copy", textContent: "Copy" })
  pre.replaceWith(box)
  box.append(pre, copy)
  copy.addEventListener("click", async () => {
    // A page that was not read by HTTPS has no clipboard.
    try {
      await navigator.clipboard.writeText(pre.textContent)
      copy.textContent = "Copied"
    } catch {
      getSelection().selectAllChildren(pre)
      copy.textContent = "Press Ctrl+C"
    }
    setTimeout(() => (copy.textContent = "Copy"), 2000)
  })
}
