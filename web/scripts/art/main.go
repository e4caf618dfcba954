// Command art draws the pictures the web build holds: the scenes and emblems of the public pages, and the cards that
// stand on them. It writes them into the folder named by its argument, with a list of the collections and what stands
// for each in pictures for shared links.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"pantheon/internal/art"
)

// cards are the tokens that stand for something on the public pages, by the name of their file.
func cards() map[string][2]string {
	cards := map[string][2]string{
		"god-dawn":       {"elder-gods", "1"},
		"god-thunder":    {"elder-gods", "2"},
		"god-sea":        {"elder-gods", "3"},
		"god-moon":       {"elder-gods", "7"},
		"god-labyrinth":  {"elder-gods", "8"},
		"god-prophecy":   {"elder-gods", "9"},
		"pass-community": {"passes-community", "1"},
		"pass-ultimate":  {"passes-ultimate", "1"},
		"piggy-bank":     {"piggy-banks", "2"},
		"crown":          {"game-items", "43"},
		"sword":          {"game-items", "4"},
		"shield":         {"game-items", "23"},
		"helm":           {"game-items", "27"},
		"chest":          {"chests", "3"},
		"immortal":       {"immortals", "7"},
	}
	// One god in all ten metals.
	for casting := 2; casting <= 10; casting++ {
		cards[fmt.Sprintf("god-thunder-%d", casting)] = [2]string{"elder-gods", strconv.Itoa(2 + 12*(casting-1))}
	}
	return cards
}

// cutouts are tokens without a card around them.
func cutouts() map[string][2]string {
	return map[string][2]string{
		"bust-dawn":       {"elder-gods", "1"},
		"bust-thunder":    {"elder-gods", "2"},
		"bust-sea":        {"elder-gods", "3"},
		"bust-wilds":      {"elder-gods", "4"},
		"bust-fate":       {"elder-gods", "5"},
		"bust-fire":       {"elder-gods", "6"},
		"bust-moon":       {"elder-gods", "7"},
		"bust-labyrinth":  {"elder-gods", "8"},
		"bust-prophecy":   {"elder-gods", "9"},
		"bust-war":        {"elder-gods", "10"},
		"bust-sky":        {"elder-gods", "11"},
		"bust-underworld": {"elder-gods", "12"},
		"ark-cedar":       {"arks", "1"},
		"ark-bronze":      {"arks", "2"},
		"ark-storm":       {"arks", "3"},
		"ark-sun":         {"arks", "4"},
		"pig-clay":        {"piggy-banks", "1"},
		"pig-gold":        {"piggy-banks", "2"},
		"pig-bronze":      {"piggy-banks", "3"},
		"pig-obsidian":    {"piggy-banks", "4"},
		"pig-mended":      {"piggy-soulbound", "1"},
		"pack-general":    {"chests", "1"},
		"pack-avatar":     {"chests", "2"},
		"pack-god":        {"chests", "3"},
		"power-spark":     {"power-packs", "1"},
		"power-surge":     {"power-packs", "2"},
		"power-tempest":   {"power-packs", "3"},
		"tablet-bronze":   {"passes-community", "1"},
		"tablet-gold":     {"passes-ultimate", "1"},
		"arms-sword":      {"game-items", "4"},
		"arms-shield":     {"game-items", "23"},
		"arms-crown":      {"game-items", "43"},
		"arms-helm":       {"game-items", "27"},
		"hero":            {"immortals", "2"},
		"face-laurel":     {"avatars", "27"},
		"face-crest":      {"avatars", "9"},
		"face-diadem":     {"avatars", "17"},
		"face-season":     {"season-avatars", "1"},
	}
}

// gazes are gods who look out of a picture without frame and name, by the name of its file.
func gazes() map[string][2]string {
	return map[string][2]string{
		"gaze-dawn":      {"elder-gods", "1"},
		"gaze-fate":      {"elder-gods", "5"},
		"gaze-moon":      {"elder-gods", "7"},
		"gaze-sea":       {"elder-gods", "3"},
		"gaze-labyrinth": {"elder-gods", "8"},
		"gaze-war":       {"elder-gods", "10"},
		"gaze-sky":       {"elder-gods", "11"},
	}
}

// emblems are the cutouts that stand for whole collections, by the collection.
func emblems() map[string]string {
	return map[string]string{
		"game-items": "arms-shield", "avatars": "face-laurel", "season-avatars": "face-season", "piggy-banks": "pig-gold",
		"piggy-soulbound": "pig-mended", "elder-gods": "bust-dawn", "chests": "pack-general", "immortals": "hero",
		"passes-community": "tablet-bronze", "passes-ultimate": "tablet-gold", "arks": "ark-sun", "power-packs": "power-surge",
	}
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: art <folder>")
		os.Exit(2)
	}
	if err := draw(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "art:", err)
		os.Exit(1)
	}
}

func draw(folder string) error {
	catalogue, err := art.Load()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, name := range art.SceneNames() {
		svg, err := catalogue.Scene(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, "scene-"+name+".svg"), svg, 0o644); err != nil {
			return err
		}
	}
	for _, set := range []struct {
		tokens map[string][2]string
		crop   art.Crop
	}{{cards(), art.Portrait}, {cutouts(), art.Cutout}, {gazes(), art.Square}} {
		for name, token := range set.tokens {
			item, err := catalogue.Describe(token[0], token[1])
			if err != nil {
				return err
			}
			svg := catalogue.SVG(item, art.Options{Crop: set.crop})
			if err := os.WriteFile(filepath.Join(folder, name+".svg"), svg, 0o644); err != nil {
				return err
			}
		}
	}
	return writeCollections(filepath.Join(folder, "collections.json"), catalogue)
}

// writeCollections lists the collections: slug, name and the picture's file. One without an emblem is an error.
func writeCollections(file string, catalogue *art.Catalogue) error {
	type entry struct {
		Slug    string `json:"slug"`
		Name    string `json:"name"`
		Picture string `json:"picture"`
	}
	var entries []entry
	for _, c := range catalogue.Collections() {
		emblem, ok := emblems()[c.Slug]
		if !ok {
			return fmt.Errorf("no emblem stands for collection %s", c.Slug)
		}
		entries = append(entries, entry{c.Slug, c.Name, emblem + ".svg"})
	}
	list, err := json.Marshal(entries)
	if err != nil {
		return err
	}
	return os.WriteFile(file, list, 0o644)
}
