package config_test

import (
	"maps"
	"strings"
	"testing"
)

func TestConfig_BucketOfThePictures(t *testing.T) {
	t.Parallel()
	bucket := map[string]string{
		"PICTURES_BUCKET": "portal-pictures/live", "S3_ENDPOINT": "https://s3.example", "S3_ACCESS_KEY": "key", "S3_SECRET_KEY": "secret",
	}
	env := complete()
	maps.Copy(env, bucket)
	if c, faults := load(t, env); faults != nil || c.S3.Region != "us-east-1" || c.Metadata.Bucket != "portal-pictures/live" {
		t.Errorf("%q, %+v", faults, c.S3)
	}
	for _, c := range []struct{ name, value string }{
		{"S3_ENDPOINT", ""}, {"S3_ENDPOINT", "s3.example"}, {"S3_ENDPOINT", "https://s3.example/bucket"}, {"S3_ACCESS_KEY", ""},
		{"S3_SECRET_KEY", ""}, {"PICTURES_BUCKET", "Pictures"}, {"PICTURES_BUCKET", "a"}, {"PICTURES_BUCKET", "pictures//live"},
	} {
		env := complete()
		maps.Copy(env, bucket)
		env[c.name] = c.value
		if _, faults := load(t, env); len(faults) != 1 || !strings.HasPrefix(faults[0], c.name+": must ") {
			t.Errorf("%s=%q: %q", c.name, c.value, faults)
		}
	}
}
