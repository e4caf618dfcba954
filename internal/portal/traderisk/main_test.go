package traderisk_test

import (
	"testing"

	"pantheon/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }
