/** What the player's page of games shows of each. */
import scene from "./art/scene.svg";

export const games: Record<string, { to: string; picture: string; text: string }> = {
  "night-express": { to: "/night-express", picture: scene, text: "Your engines pull in it, and your wagons carry." },
};
