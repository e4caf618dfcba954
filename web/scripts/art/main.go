// Command art draws the pictures the web build holds: the scenes and emblems of the public pages, and the cards that
// stand on them. It writes them into the folder named by its argument.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"pantheon/internal/art"
)

// cards are the tokens that stand for something on the public pages, by the name of their file.
func cards() map[string][2]string {
	return map[string][2]string{
		"god-dawn":      {"elder-gods", "1"},
		"god-thunder":   {"elder-gods", "2"},
		"god-sea":       {"elder-gods", "3"},
		"god-moon":      {"elder-gods", "7"},
		"god-labyrinth": {"elder-gods", "8"},
		"god-prophecy":  {"elder-gods", "9"},
		"pass-ultimate": {"passes-ultimate", "1"},
		"piggy-bank":    {"piggy-banks", "2"},
		"crown":         {"game-items", "43"},
		"sword":         {"game-items", "4"},
		"shield":        {"game-items", "23"},
		"helm":          {"game-items", "27"},
		"chest":         {"chests", "3"},
		"immortal":      {"immortals", "7"},
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
	for name, token := range cards() {
		item, err := catalogue.Describe(token[0], token[1])
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name+".svg"), catalogue.SVG(item, art.Options{}), 0o644); err != nil {
			return err
		}
	}
	return nil
}
