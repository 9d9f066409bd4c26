// The banner: asks once, tells the pixel, and remembers the answer for the site. The command queue
// accepts the answer even before the script has loaded.
const pixel = (...call) => (window.footfall = window.footfall || []).push(call)
const find = (selector) => document.querySelector(selector)
const banner = find(".banner")

const show = () => {
  const answer = localStorage.getItem("consent")
  banner.hidden = answer !== null
  find("[data-answer]").textContent = { granted: "yes", denied: "no" }[answer] ?? "none yet"
  find("[data-kept]").textContent =
    /footfall_id=([^;]*)/.exec(document.cookie)?.[1] ?? "no cookie from the pixel"
}

for (const button of banner.querySelectorAll("[data-consent]")) {
  button.addEventListener("click", () => {
    localStorage.setItem("consent", button.dataset.consent)
    pixel("consent", button.dataset.consent)
    pixel("ready", show)
    show()
  })
}

find("[data-ask]").addEventListener("click", () => {
  banner.hidden = false
  banner.querySelector("button").focus()
})

find(".thanks").hidden = location.pathname !== "/thanks"
find("form").hidden = location.pathname === "/thanks"
pixel("ready", show)
show()
