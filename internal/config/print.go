package config

import (
	"embed"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"reflect"
	"strings"
	"sync"
	"time"

	"pantheon/internal/brand"
)

// Variable describes one environment variable.
type Variable struct {
	Name, Default, Doc string
	Secret             bool

	kind, least, value string
	typ                reflect.Type
}

// form describes the expected form of the variable's value.
func (v Variable) form() string {
	if v.typ == reflect.TypeFor[time.Duration]() {
		return "a length of time such as 5s or 1m30s"
	}
	if v.typ.Kind() == reflect.Bool {
		return "true or false"
	}
	return "a whole number"
}

// Variables lists every variable that the program reads with a brand, in the order of the struct.
func Variables(b *brand.Brand) []Variable { return (&Config{Brand: b}).variables() }

func (c *Config) variables() []Variable { return c.variablesOf(reflect.ValueOf(*c), "") }

//go:embed *.go
var source embed.FS

// descriptions returns the comments of the fields of this package's structs, by Struct.Field.
var descriptions = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	names, err := fs.Glob(source, "*.go")
	for _, name := range names {
		text, readErr := source.ReadFile(name)
		file, parseErr := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
		err = errors.Join(err, readErr, parseErr)
		ast.Inspect(file, func(n ast.Node) bool {
			t, _ := n.(*ast.TypeSpec)
			if t == nil {
				return true
			}
			if s, ok := t.Type.(*ast.StructType); ok {
				for _, field := range s.Fields.List {
					for _, name := range field.Names {
						out[t.Name.Name+"."+name.Name] = strings.ReplaceAll(strings.TrimSpace(field.Doc.Text()), "\n", " ")
					}
				}
			}
			return false
		})
	}
	if err != nil {
		panic(err) // it was compiled
	}
	return out
})

func (c *Config) variablesOf(v reflect.Value, prefix string) (out []Variable) {
	for i := range v.NumField() {
		f, t := v.Field(i), v.Type().Field(i)
		if !t.IsExported() || t.Tag.Get("env") == "-" {
			continue
		}
		if f.Kind() == reflect.Struct {
			out = append(out, c.variablesOf(f, prefix+t.Tag.Get("envPrefix"))...)
			continue
		}
		if addresses, ok := f.Interface().(CollectionAddresses); ok {
			out = append(out, addresses.variables(c.Brand.Collections)...)
			continue
		}
		value := fmt.Sprint(f.Interface())
		secret, isSecret := f.Interface().(Secret)
		if isSecret {
			value = secret.Reveal()
		}
		out = append(out, Variable{
			Name: prefix + t.Tag.Get("env"), Default: t.Tag.Get("envDefault"), Secret: isSecret,
			Doc:  descriptions()[v.Type().Name()+"."+t.Name],
			kind: t.Tag.Get("kind"), least: t.Tag.Get("min"), value: value, typ: t.Type,
		})
	}
	return out
}

// Markdown returns the table of all variables in docs/configuration.md.
func Markdown(b *brand.Brand) string {
	var out strings.Builder
	out.WriteString("| variable | default | what it does |\n|---|---|---|\n")
	for _, v := range Variables(b) {
		def := ""
		if v.Default != "" {
			def = "`" + v.Default + "`"
		}
		doc := v.Doc
		if v.Secret {
			doc += " *Secret.*"
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s |\n", v.Name, def, doc)
	}
	return out.String()
}

// Print returns the effective configuration, one variable a line, secrets hidden.
func (c *Config) Print() string {
	var b strings.Builder
	for _, v := range c.variables() {
		fmt.Fprintf(&b, "%s=%s\n", v.Name, v.shown())
	}
	return b.String()
}

// Values returns the effective configuration by variable, secrets hidden.
func (c *Config) Values() map[string]string {
	out := map[string]string{}
	for _, v := range c.variables() {
		out[v.Name] = v.shown()
	}
	return out
}

// shown returns the value, hidden if it is a secret.
func (v Variable) shown() string {
	if v.Secret {
		return Secret(v.value).String()
	}
	return v.value
}
