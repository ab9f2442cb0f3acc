package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"

	"verifiers/webhooks"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		now, _ := strconv.ParseInt(fields[0], 10, 64)
		header, _ := base64.StdEncoding.DecodeString(fields[2])
		body, _ := base64.StdEncoding.DecodeString(fields[3])
		fmt.Println(webhooks.Verify(body, string(header), strings.Split(fields[1], ","), now))
	}
}
