/** The pictures of the site's own pages, by what the page is for. Every brand has them all; people look to the right in those of forms. */

/** Beside each purse that has a page. */
export { default as followers } from "./art/ark-cedar.svg";
export { default as tokens } from "./art/ark-sun.svg";
export { default as apiDoc } from "./art/bust-prophecy.svg";
export { default as toTheShop } from "./art/chest.svg";
export { default as seasonAvatar } from "./art/face-season.svg";
export { default as register } from "./art/gaze-dawn.svg";
export { default as newPassword } from "./art/gaze-fate.svg";
export { default as signIn } from "./art/gaze-labyrinth.svg";
export { default as forgotPassword } from "./art/gaze-moon.svg";
export { default as cancelWithdrawal } from "./art/gaze-sea.svg";
export { default as resetPassword } from "./art/gaze-sky.svg";
export { default as portalLogin } from "./art/gaze-war.svg";
export { default as notMe } from "./art/god-prophecy.svg";
export { default as accountDeleted } from "./art/god-sea.svg";
export { default as odds } from "./art/pack-god.svg";
export { default as notFound } from "./art/scene-gap.svg";
export { default as timeout } from "./art/scene-lapse.svg";
export { default as createWallet } from "./art/scene-market.svg";
export { default as home } from "./art/scene-pantheon.svg";
export { default as maintenance } from "./art/scene-repairs.svg";
export { default as unauthorizedCountry } from "./art/scene-shut.svg";
