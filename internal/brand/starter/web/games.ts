/** What the player's page of games shows of each, by its id: its own page, its picture, and how it uses holdings. */
import scene from "./art/scene.svg";

export const games: Record<string, { to: string; picture: string; text: string }> = {
  quest: { to: "/quest", picture: scene, text: "Your heroes walk in it, with what they carry." },
};
