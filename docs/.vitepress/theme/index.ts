export { default } from "vitepress/theme-without-fonts"
import "../../../packages/console/src/ui/tokens.css"
import "./site.css"
