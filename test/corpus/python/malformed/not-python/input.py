<?xml version="1.0"?>
<directive name="a"/>
